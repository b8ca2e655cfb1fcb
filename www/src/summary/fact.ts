/** A fact in the summary: a term and its value. */
export interface Fact {
  label: string;
  value: string;
  /** The exact number behind a rounded one, or where the value comes from. */
  exact?: string;
  /** Whether the value is not known yet. */
  isMissing?: boolean;
}
