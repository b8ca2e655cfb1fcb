/**
 * How a browser is driven. Each engine has one page, which all flows use.
 *
 * @typedef {object} Driver
 * @property {string[]} problems The errors that the page has reported.
 * @property {(url: string) => Promise<void>} go
 * @property {(source: string, argument: unknown) => Promise<unknown>} run Runs a function in the page, and gives its result as JSON. `source`
 *   is the text of the function.
 * @property {(x: number, y: number) => Promise<void>} click The place is in CSS pixels, from the corner of the window's content.
 * @property {(x: number, y: number) => Promise<void>} move
 * @property {(keys: readonly string[]) => Promise<void>} press Presses keys together, by the names of `KeyboardEvent.key`.
 * @property {(text: string) => Promise<void>} type
 * @property {(source: string, argument: unknown, paths: readonly string[]) => Promise<void>} choose Chooses files of the disk in the file
 *   field that the function gives.
 * @property {(width: number, height: number) => Promise<void>} resize
 * @property {(path: string) => Promise<void>} screenshot
 * @property {(isOn: boolean) => Promise<void>} [forceColours] Asks for forced colours, if the engine can be told.
 * @property {() => Promise<void>} close
 */

export {};
