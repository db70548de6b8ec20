// @ts-check
// What the editor of positions knows of each game: how a position is written, the tools that change it, and odds. Loaded with the editor.

/** @import { GameKind } from "../core/types.js" */
/** @import { Editing, Game } from "./types.js" */

const draughts = async () => (await import("./editing/draughts.js")).draughtsEditing;
const sowing = async () => (await import("./editing/sowing.js")).sowingEditing;

/** @type {Record<GameKind, () => Promise<(game: Game) => Editing>>} */
const FILES = {
  mawe: async () => (await import("./editing/mawe.js")).maweEditing,
  reversi: async () => (await import("./editing/reversi.js")).reversiEditing,
  checkers: draughts,
  drafti: draughts,
  brazilian: draughts,
  russian: draughts,
  international: draughts,
  pool: draughts,
  kalah: sowing,
  oware: sowing,
  congkak: async () => (await import("./editing/left-out.js")).congkakEditing,
  bao: async () => (await import("./editing/bao.js")).baoEditing,
  pallanguzhi: async () => (await import("./editing/left-out.js")).pallanguzhiEditing,
};

/** @param {Game} game @returns {Promise<Editing>} rejected if its file cannot be loaded */
export const editingOf = async (game) => (await FILES[game.id]())(game);
