// @ts-check
// REST for passkeys.

import { call } from "./api.js";

/** @import { Me, PasskeyChallenge, PasskeyList, PasskeyView } from "../core/types.js" */

const MINE = "/me/passkeys";
const LOGIN = "/sessions/passkey";

/** @type {() => Promise<PasskeyList>} */
export const getPasskeys = () => call("GET", MINE);
/** @type {(password: string) => Promise<PasskeyChallenge>} */
export const postPasskeyChallenge = (password) => call("POST", `${MINE}/challenge`, { password });
/** @type {(challenge: string, name: string, credential: object) => Promise<PasskeyView>} */
export const postPasskey = (challenge, name, credential) => call("POST", MINE, { challenge, name, credential });
/** @type {(id: string, name: string) => Promise<null>} */
export const patchPasskey = (id, name) => call("PATCH", `${MINE}/${encodeURIComponent(id)}`, { name });
/** @type {(id: string, password: string) => Promise<null>} */
export const deletePasskey = (id, password) => call("DELETE", `${MINE}/${encodeURIComponent(id)}`, { password });
/** @type {() => Promise<PasskeyChallenge>} */
export const postLoginChallenge = () => call("POST", `${LOGIN}/challenge`, {});
/** @type {(challenge: string, credential: object) => Promise<Me>} */
export const postPasskeyLogin = (challenge, credential) => call("POST", LOGIN, { challenge, credential });
