// @ts-check
// The chat over REST; its lines come over the line besides. In a module of its own: few readers load it.

import { call, query } from "./api.js";

/** @import { ChatLine, ChatLines, ChatRights, PlayerRef } from "../core/types.js" */

/** @typedef {"players" | "spectators"} RoomName */

const base = (/** @type {string} */ id) => `/matches/${encodeURIComponent(id)}/chat`;

/** The reader's rights in the rooms of a match. @type {(id: string) => Promise<{ rooms: ChatRights[] }>} */
export const getChatRooms = (id) => call("GET", base(id));
/** The lines after a number. @type {(id: string, room: RoomName, after: number, limit: number) => Promise<ChatLines>} */
export const getChatLines = (id, room, after, limit) =>
  call("GET", `${base(id)}/${room}?${query({ after: String(after), limit: String(limit) })}`);
/** @type {(id: string, room: RoomName, text: string) => Promise<ChatLine>} */
export const postChatLine = (id, room, text) => call("POST", `${base(id)}/${room}`, { text });

/** The players that the reader has muted. @type {() => Promise<{ items: PlayerRef[] }>} */
export const getMutes = () => call("GET", "/me/mutes");
/** @type {(player: string) => Promise<null>} */
export const postMute = (player) => call("POST", "/me/mutes", { player });
/** @type {(player: string) => Promise<null>} */
export const deleteMute = (player) => call("DELETE", `/me/mutes/${encodeURIComponent(player)}`);

/** The lines around a reported one. @type {(report: string) => Promise<ChatLines>} */
export const getReportedLines = (report) => call("GET", `/moderation/reports/${encodeURIComponent(report)}/chat`);
/** @type {(removal: { match: string, room: RoomName, number: number, why: string }) => Promise<null>} */
export const postRemovedLine = (removal) => call("POST", "/moderation/removed-lines", removal);
