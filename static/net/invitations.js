// @ts-check
// Invitations to register over REST. In a module of its own: few readers load it.

import { call, query } from "./api.js";

/** @import { InvitationView, MadeInvitation, Page } from "../core/types.js" */

/** @type {(cursor: string | null) => Promise<Page<InvitationView>>} */
export const getSiteInvitations = (cursor) => call("GET", `/invitations?${query({ cursor })}`);
/** @type {(wish: { uses: number, days: number, note: string }) => Promise<MadeInvitation>} */
export const postSiteInvitation = (wish) => call("POST", "/invitations", wish);
/** @type {(id: string) => Promise<null>} */
export const deleteSiteInvitation = (id) => call("DELETE", `/invitations/${encodeURIComponent(id)}`);
