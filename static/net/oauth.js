// @ts-check
// REST for the page on which a person lets a program in.

import { call } from "./api.js";

/** @import { AccessWish } from "../core/types.js" */

/** Reads a program's wish for an access, given the query of the page's address. @type {(search: string) => Promise<AccessWish>} */
export const getAccessWish = (search) => call("GET", `/oauth/request${search}`);
/** Grants that wish; the address leads to the program. @type {(search: string) => Promise<{ address: string }>} */
export const postAccessCode = (search) => call("POST", "/oauth/codes", Object.fromEntries(new URLSearchParams(search)));
