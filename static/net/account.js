// @ts-check
// REST for an account as a whole: its recovery codes, its name and its end.

import { call } from "./api.js";

/** @import { Me, OwnDecision, OwnDisplayName, OwnName, RecoveryCodesLeft, Registered } from "../core/types.js" */

/** @type {() => Promise<RecoveryCodesLeft>} */
export const getRecoveryCodes = () => call("GET", "/me/recovery-codes");
/** Makes new codes, which are in this answer only. @type {(password: string) => Promise<{ recovery_codes: string[] }>} */
export const postRecoveryCodes = (password) => call("POST", "/me/recovery-codes", { password });
/** Sets a new password by a code, and logs in. @type {(name: string, code: string, newPassword: string) => Promise<Me>} */
export const postRecovery = (name, code, newPassword) => call("POST", "/recoveries", { name, code, new_password: newPassword });
/** @type {() => Promise<OwnName>} */
export const getName = () => call("GET", "/me/name");
/** @type {(name: string) => Promise<Me>} */
export const postName = (name) => call("POST", "/me/name", { name });
/** @type {() => Promise<OwnDisplayName>} */
export const getDisplayName = () => call("GET", "/me/display-name");
/** @type {(name: string) => Promise<Me>} */
export const putDisplayName = (name) => call("PUT", "/me/display-name", { display_name: name });
/** @type {() => Promise<Me>} */
export const deleteDisplayName = () => call("DELETE", "/me/display-name");
/** Deletes the account for good. @type {(password: string) => Promise<null>} */
export const deleteMe = (password) => call("DELETE", "/me", { password });
/** @type {(name: string, password: string, invitation?: string) => Promise<Registered>} */
export const postAccount = (name, password, invitation) => call("POST", "/accounts", { name, password, invitation });
/** @type {(name: string, password: string) => Promise<Me>} */
export const postSession = (name, password) => call("POST", "/sessions", { name, password });
/** Appeals for a disabled account. @type {(appeal: { name: string, password: string, text: string }) => Promise<OwnDecision>} */
export const postDisabledAppeal = (appeal) => call("POST", "/appeals", appeal);
/** @type {(old: string, next: string, endTokens: boolean) => Promise<null>} */
export const postPassword = (old, next, endTokens) => call("POST", "/me/password", { old, new: next, end_tokens: endTokens });
