/** The page: `<gguf-app>` and the viewer in it. */

import "./app/app.ts";
