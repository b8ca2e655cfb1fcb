// The part of Eleventy, which has no types, that the build uses.

declare module "@11ty/eleventy" {
  import type MarkdownIt from "markdown-it";

  interface Configuration {
    setLibrary(format: "md", library: MarkdownIt): void;
    setTemplateFormats(formats: string[]): void;
    addPassthroughCopy(files: Record<string, string>): void;
    addTransform(name: string, transform: (this: { page: { url: string } }, content: string) => string): void;
    addTemplate(path: string, content: string, data: object): void;
  }

  class Eleventy {
    constructor(input: string, output: string, options: { quietMode: boolean; config(config: Configuration): void });
    write(): Promise<void>;
  }
}
