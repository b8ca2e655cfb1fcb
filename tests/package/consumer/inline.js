// Without top-level await, to be bundled as a classic script.
import * as api from "gguf-wasm/inline";
import { check } from "./check.js";
import { show } from "./show.js";

show(check(api, "/sample.gguf"));
