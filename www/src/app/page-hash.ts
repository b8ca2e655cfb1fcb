/** The hash of this page's address, with the state of its panels. */

import { PANELS } from "../panels.ts";
import { locationHash } from "./location-hash.ts";

export const { parse: parseHash, format: formatHash, returned: returnedState } = locationHash(PANELS);
