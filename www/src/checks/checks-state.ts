/** The filter of the list of findings, which a link to the page contains. */

import { formatList, parseList, type StateField } from "../ui/state-field.ts";
import { capitalised } from "../ui/sentence.ts";
import type { JoinedFindings } from "./equal-findings.ts";
import { type FindingSubject, SUBJECTS } from "./finding-subjects.ts";
import { SEVERITIES, type Severity } from "./findings.ts";

/** An absent member shows all. */
export interface ChecksState {
  severities?: readonly Severity[];
  subjects?: readonly FindingSubject[];
}

export const CHECKS_STATE_FIELDS: readonly StateField<ChecksState>[] = [
  {
    name: "severity",
    format: ({ severities }) => formatList(severities),
    parse: (encoded) => {
      const severities = known(
        encoded,
        SEVERITIES.map(({ severity }) => severity),
      );
      return severities.length > 0 ? { severities } : undefined;
    },
  },
  {
    name: "subject",
    format: ({ subjects }) => formatList(subjects),
    parse: (encoded) => {
      const subjects = known(
        encoded,
        SUBJECTS.map(({ name }) => name),
      );
      return subjects.length > 0 ? { subjects } : undefined;
    },
  },
];

/** The names of a list in an address, in the order of the table. */
function known<Name extends string>(encoded: string, names: readonly Name[]): Name[] {
  const listed = new Set(parseList(encoded));
  return names.filter((name) => listed.has(name));
}

/** Whether the filter shows findings of a severity, and of a subject. */
function showsSeverity({ severities }: ChecksState, { first }: JoinedFindings): boolean {
  return severities?.includes(first.severity) ?? true;
}

function showsSubject({ subjects }: ChecksState, { subject }: JoinedFindings): boolean {
  return subjects?.includes(subject) ?? true;
}

/** The findings that pass the filter. */
export function filterFindings(groups: readonly JoinedFindings[], filter: ChecksState): JoinedFindings[] {
  return groups.filter((group) => showsSeverity(filter, group) && showsSubject(filter, group));
}

/** A choice of the filter. */
export interface FilterChoice<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly isChosen: boolean;
  /** The number of findings that this choice shows, together with the chosen values of the other kind. */
  readonly count: number;
}

/**
 * The severities and subjects to choose from: those of the findings, and those that are chosen. A kind with a single value is empty,
 * because it would filter nothing.
 */
export function filterChoices(groups: readonly JoinedFindings[], filter: ChecksState) {
  const { severities = [], subjects = [] } = filter;
  const severityChoices = SEVERITIES.map(({ severity, words }): FilterChoice<Severity> => {
    const own = groups.filter(({ first }) => first.severity === severity);
    const count = own.filter((group) => showsSubject(filter, group)).length;
    return { name: severity, title: capitalised(words), isChosen: severities.includes(severity), count };
  }).filter(({ name, isChosen }) => isChosen || groups.some(({ first }) => first.severity === name));
  const subjectChoices = SUBJECTS.map(({ name, title }): FilterChoice<FindingSubject> => {
    const own = groups.filter(({ subject }) => subject === name);
    const count = own.filter((group) => showsSeverity(filter, group)).length;
    return { name, title, isChosen: subjects.includes(name), count };
  }).filter(({ name, isChosen }) => isChosen || groups.some(({ subject }) => subject === name));
  return { severities: useful(severityChoices), subjects: useful(subjectChoices) };
}

function useful<Name extends string>(choices: readonly FilterChoice<Name>[]): readonly FilterChoice<Name>[] {
  return choices.length > 1 || choices.some(({ isChosen }) => isChosen) ? choices : [];
}

/** The list with a name added, or removed if it has it. Undefined if it would be empty: then all are shown. */
export function toggled<Name extends string>(names: readonly Name[] = [], name: Name): readonly Name[] | undefined {
  const left = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  return left.length > 0 ? left : undefined;
}
