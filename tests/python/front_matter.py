"""Records what PyYAML makes of the front matter of model cards. `null` stands for what it refuses.

    python front_matter.py > tests/model_files/front_matter.json

It needs PyYAML. The values are those that the tests see: author and license are texts, tags is a list of texts.
Any number is 0.
"""

import json

import yaml

CARDS = [
    # Blocks.
    "license: mit\ntags:\n- a\n- b\n",
    "tags:\n  - a\n  - b\nauthor: x\n",
    "tags:\n-\n  a\n- b\n",
    "author: x\n \n# comment\n  # other\nlicense: mit # comment\n",
    "author: a\nauthor: b\n",
    "? author\n: x\n? license\n: mit\n",
    "? |\n  author\n: x\n",
    "x:\n- author: a\n  b:\n  - c: d\n    e: f\n- - g\n  - h\nauthor: y\n",
    "author:\n  x\n",
    "author: a\n  b\n\n  c\nlicense: mit\n",
    "author: a#b # c\n",
    "author: a:b http://c.d:80/e?f=g#h\n",
    "author: -a\n",
    "author: a b: c\n",
    "author: a\n  license: mit\n",
    "author:\n- a: b\n c: d\n",
    "tags: - a\n",
    "  author: x\nlicense: mit\n",
    "author: x\nlicense\n",
    "author: @x\n",
    "author: `x`\n",
    "author: %x\n",
    "[author]: x\n",
    "? [author]\n: x\n",
    # Between brackets, whose other lines may begin at column 0.
    "tags: [a, b]\n",
    "tags: [\na,\nb\n]\n",
    "tags: [a,\n b,]\nauthor: x\n",
    "tags:\n[a, b]\n",
    "tags:\n  [a, b]\n",
    "tags: [a, , b]\n",
    "tags: [a, b\n",
    "tags: [a?b]\n",
    "tags: [a b, 'c', \"d\"]\n",
    "{author: x, \"license\":mit, tags: [a]}\n",
    "{author: x, y, ? license : mit}\n",
    "{author\n: x}\n",
    "x: [a: b, c, ? d : e]\nauthor: y\n",
    "author: x\n}\n",
    # Texts in quotes.
    "author: 'it''s'\n",
    "author: \"a\\tb\\u00e9\\x41\\U0001F600\\\"\\\\\"\n",
    "author: \"\\q\"\n",
    "author: \"a\n  b\n\n  c \\\n   d\\ \n e\"\n",
    "author: 'a\nb'\n",
    "\"author\": x\n'license' : mit\n",
    "author: \"a\" b\n",
    # Blocks of text.
    "author: |\n  a\n   b\n\n  c\n\nlicense: mit\n",
    "author: |-\n  a\n\nlicense: mit\n",
    "author: |+\n  a\n\nlicense: mit\n",
    "author: >\n  a\n  b\n\n  c\n   d\n  e\n",
    "author: >-\n\n\n  a\n  b\n",
    "author: |2-\n   a\n  b\n",
    "author: |1+ # comment\n  a\n\n",
    "author: | a\n",
    "author: |0\n  a\n",
    "author: |\n    \n  a\n",
    "author:\n|2\n  a\nlicense: mit\n",
    # Anchors, aliases, merges and tags.
    "author: &a x\nlicense: *a\n",
    "tags: &a [a, b]\nx: *a\nauthor: y\n",
    "x: &a\n  author: a\n  license: b\n<<: *a\nlicense: c\n",
    "x: [&a {author: a}, &b {author: b, license: b}]\n<<: [*a, *b]\n",
    "<<: {author: a}\nauthor: b\n",
    "author: b\n<<: {author: a}\n",
    "<<: x\n",
    "author: *a\n",
    "author: &a x\nlicense: &a y\n",
    "author: <<\n",
    "author: =\n",
    "&a author: x\nlicense: *a\n",
    "&a\nauthor: x\n",
    "*a : x\n",
    "author: !!str 12\n",
    "author: ! x\n",
    "author: !!int x\n",
    "author: !own x\n",
    "author: !<tag:yaml.org,2002:str> 1\n",
    "tags: !!seq\n- !!str yes\n",
    "tags: !!map [a]\n",
    "author: !!null x\n",
    # Types.
    *(
        f"author: {text}\n"
        for text in (
            "~ Null NULL nUll yes No ON oFF y 1 -1 +1 1_000 0x1F 0xG 017 018 0b11 0b12 0o7 1.5 1. .5 -.5 . 1.5e3 1e3 1.e+3 1:30 1:60 "
            "01:30 1:30.5 1:3x .inf -.INF .iNF .nan -.nan 1.2.3 v1 0. 00 0_ _1 1a e5 12e+3 2024-01-02 0x 1__2"
        ).split()
    ),
    # What the converter changes: tabs, and the language of Norway.
    "tags:\n\t- a\n\t- no\n",
    "tags: [no]\n",
    # A control character.
    "author: a\x07\n",
]


def value(card):
    card = card.replace("- no\n", '- "no"\n').replace("\t", "  ")
    try:
        members = yaml.safe_load(card)
    except (yaml.YAMLError, ValueError):
        return None
    seen = {key: members[key] for key in ("author", "license", "tags") if key in members}
    return {key: 0 if type(found) in (int, float) else found for key, found in seen.items()}


# One card a line.
rows = ",\n".join(json.dumps([card, value(card)], default=str) for card in CARDS)
print(f"[\n{rows}\n]")
