/** The contents of the messages that the renderer marks. They are words without special characters, so that no template changes them. */
export const MARKERS = {
  system: "markersystem",
  user: "markerquestion",
  assistant: "markeranswer",
  last: "markerlast",
} as const;
