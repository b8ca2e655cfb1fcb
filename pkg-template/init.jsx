// The entry `init` for the bundlers that `index.jsx` is for.
export * from "./init.js";
