// @ts-check
// Follows and blocks over REST. In a module of its own: few readers load it.

import { call, query } from "./api.js";

/** @import { BlockView, FollowView, MatchSummary, RelationView } from "../core/types.js" */

/** @template T @typedef {{ items: T[], next: string | null }} Page */

const named = (/** @type {string} */ list, /** @type {string} */ name) => `/me/${list}/${encodeURIComponent(name)}`;

/** The reader's relation to a player. @type {(name: string) => Promise<RelationView>} */
export const getRelation = (name) => call("GET", named("relations", name));
/** @type {(cursor: string | null) => Promise<Page<FollowView>>} */
export const getFollows = (cursor) => call("GET", `/me/follows?${query({ cursor })}`);
/** @type {(cursor: string | null) => Promise<Page<FollowView>>} */
export const getFollowers = (cursor) => call("GET", `/me/followers?${query({ cursor })}`);
/** Finished matches of the players that the reader follows. @type {(cursor: string | null) => Promise<Page<MatchSummary>>} */
export const getFollowedMatches = (cursor) => call("GET", `/me/followed-matches?${query({ cursor })}`);
/** @type {(player: string) => Promise<null>} */
export const postFollow = (player) => call("POST", "/me/follows", { player });
/** @type {(player: string) => Promise<null>} */
export const deleteFollow = (player) => call("DELETE", named("follows", player));
/** @type {(cursor: string | null) => Promise<Page<BlockView>>} */
export const getBlocks = (cursor) => call("GET", `/me/blocks?${query({ cursor })}`);
/** The names of all blocked players. */
export async function getBlockedNames() {
  /** @type {Set<string>} */
  const names = new Set();
  for (let cursor = /** @type {string | null | undefined} */ (null); cursor !== undefined; ) {
    const { items, next } = await getBlocks(cursor);
    for (const { player } of items) names.add(player.name);
    cursor = next ?? undefined;
  }
  return names;
}
/** @type {(player: string) => Promise<null>} */
export const postBlock = (player) => call("POST", "/me/blocks", { player });
/** @type {(player: string) => Promise<null>} */
export const deleteBlock = (player) => call("DELETE", named("blocks", player));
