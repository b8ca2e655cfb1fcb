"""Renders chat templates as the PyPI package transformers does, with jinja2.

Reads JSON from the standard input: {"templates": {name: text}, "conversations": {name: variables}, "now": [year, month, day, hour, minute]}.
Writes JSON to the standard output: {template: {conversation: {"text": …} or {"error": …}}}.
"""

import datetime
import json
import sys

import jinja2.ext
from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    raise TemplateError(message)


def environment(now):
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = now.strftime
    return made


def render(jinja, source, variables):
    try:
        return {"text": jinja.from_string(source).render(**variables)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    request = json.load(sys.stdin)
    jinja = environment(datetime.datetime(*request["now"]))
    rendered = {
        name: {title: render(jinja, source, variables) for title, variables in request["conversations"].items()}
        for name, source in request["templates"].items()
    }
    json.dump(rendered, sys.stdout)


main()
