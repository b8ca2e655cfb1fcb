/** The names of the file types by their ids. `www/file-types.ts` makes the module when the page is built. */
declare module "virtual:file-types" {
  export const fileTypeNames: Readonly<Record<string, string>>;
}
