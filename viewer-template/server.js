// Where there is no document, as on a server that renders a page, the tag is only text, and there is nothing to register.

export {};
