// @ts-check
// REST for the e-mail address of an account, and for a new password by mail. In a module of its own: few pages need it.

import { call } from "./api.js";

/** @import { ConfirmedEmail, Me, OwnEmail } from "../core/types.js" */

const MINE = "/me/email";
const RESETS = "/password-resets";

/** @type {() => Promise<OwnEmail>} */
export const getEmail = () => call("GET", MINE);
/** Has a link sent to an address, which confirms it. @type {(address: string, password: string) => Promise<OwnEmail>} */
export const putEmail = (address, password) => call("PUT", MINE, { address, password });
/** @type {(password: string) => Promise<null>} */
export const deleteEmail = (password) => call("DELETE", MINE, { password });
/** @type {(token: string) => Promise<ConfirmedEmail>} */
export const postConfirmation = (token) => call("POST", "/email-confirmations", { token });
/** Has a link sent that sets a new password; the answer does not say whether there is such an account. @type {(account: string) => Promise<null>} */
export const postResetWish = (account) => call("POST", RESETS, { account });
/** Sets a new password by the token of a link, and logs in. @type {(token: string, newPassword: string) => Promise<Me>} */
export const postReset = (token, newPassword) => call("POST", `${RESETS}/use`, { token, new_password: newPassword });
