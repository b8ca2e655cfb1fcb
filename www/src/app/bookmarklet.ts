/**
 * The address of a bookmark that opens the page of a file or a repository on Hugging Face here. Its script reads the address of the page that
 * it is used on, and nothing else.
 */
export function bookmarklet(page: string): string {
  // `assign` returns nothing: a script that returns a text would replace the page by this text.
  const script = `location.assign(${JSON.stringify(`${page}#url=`)}+encodeURIComponent(location.href))`;
  // A browser decodes the address before it runs the script.
  return `javascript:${encodeURIComponent(script)}`;
}
