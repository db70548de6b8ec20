// @ts-check
// Classes and login cards over REST. In a module of its own: teachers load it, and pupils with a card.

import { call, query } from "./api.js";

/** @import { ClassRules, LoginCard, Me, Page, Pupil, PupilWish } from "../core/types.js" */

/** The pupils that a teacher sees at a time. */
const PAGE = "100";

const BASE = "/api/v1";
const at = (/** @type {string} */ handle, rest = "") => `/clubs/${encodeURIComponent(handle)}${rest}`;
const of = (/** @type {string} */ handle, /** @type {string} */ name, rest = "") =>
  at(handle, `/pupils/${encodeURIComponent(name)}${rest}`);

/** By their real names. @type {(handle: string, cursor: string | null) => Promise<Page<Pupil>>} */
export const getPupils = (handle, cursor) => call("GET", at(handle, `/pupils?${query({ cursor, limit: PAGE })}`));
/** Makes accounts; the codes are in this answer only. @type {(handle: string, pupils: PupilWish[], days: number) => Promise<{ cards: LoginCard[] }>} */
export const postPupils = (handle, pupils, days) => call("POST", at(handle, "/pupils"), { pupils, days });
/** @type {(handle: string, name: string, realName: string) => Promise<null>} */
export const patchPupil = (handle, name, realName) => call("PATCH", of(handle, name), { real_name: realName });
/** Makes new cards in the place of the old ones and of the passwords. @type {(handle: string, pupils: string[], days: number) => Promise<{ cards: LoginCard[] }>} */
export const postCards = (handle, pupils, days) => call("POST", at(handle, "/cards"), { pupils, days });
/** @type {(handle: string, name: string) => Promise<null>} */
export const releasePupil = (handle, name) => call("POST", of(handle, name, "/release"), {});
/** Deletes the account, with the password of the teacher. @type {(handle: string, name: string, password: string) => Promise<null>} */
export const deletePupil = (handle, name, password) => call("DELETE", of(handle, name), { password });
/** @type {(handle: string, rules: Partial<ClassRules>) => Promise<unknown>} */
export const patchRules = (handle, rules) => call("PATCH", at(handle), { rules });
/** The addresses of the downloads: of the class, and of the matches of its pupils. @type {(handle: string) => { all: string, matches: string }} */
export const classExport = (handle) => ({ all: BASE + at(handle, "/export"), matches: BASE + at(handle, "/export/matches") });
/** Sets a password by a login card, and logs in. @type {(code: string, newPassword: string) => Promise<Me>} */
export const postLoginCard = (code, newPassword) => call("POST", "/login-cards", { code, new_password: newPassword });
