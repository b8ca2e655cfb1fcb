/**
 * What a person does, and sees. Each flow is the default export of a file of `flows/`, and begins with a new document.
 *
 * @typedef {object} Flow
 * @property {string} name The name of the test and of the screenshot.
 * @property {(page: import("./page.mjs").Page, app: import("./app.mjs").App) => Promise<void>} run
 */

export {};
