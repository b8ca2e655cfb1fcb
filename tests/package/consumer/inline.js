// This script has no top-level await, so that it can be bundled as a classic script.
import * as api from "gguf-wasm/inline";
import { check } from "./check.js";
import { show } from "./show.js";

show(check(api, "/sample.gguf"));
