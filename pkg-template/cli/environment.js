// The variables of the environment that the program reads.

/** @type {readonly (readonly [name: string, meaning: string])[]} */
export const ENVIRONMENT = [
  ["HF_TOKEN", "An access token. It is sent to the hub only, and not if --header sets Authorization."],
  ["HF_ENDPOINT", "The address of the hub. Default: https://huggingface.co."],
];
