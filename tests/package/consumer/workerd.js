import * as api from "gguf-wasm";
import { check } from "./check.js";

export default {
  /** @param {Request} request */
  async fetch(request) {
    return new Response(await check(api, String(new URL(request.url).searchParams.get("sample"))).catch(String));
  },
};
