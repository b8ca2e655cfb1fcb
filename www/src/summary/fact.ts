/** A fact in the summary: a term and its value. */
export interface Fact {
  label: string;
  value: string;
  /** The exact number behind a rounded one, or where the value comes from. */
  exact?: string;
  /** Whether only the name of the file says it. */
  isDeclared?: boolean;
  /** Whether the value is not known yet. */
  isMissing?: boolean;
}
