// @ts-check
// The pictures of the rules pages, in a module of their own: other pages show and play a game without them.

import { lessons as bao } from "./lessons/bao.js";
import { lessons as brazilian } from "./lessons/brazilian.js";
import { lessons as checkers } from "./lessons/checkers.js";
import { lessons as congkak } from "./lessons/congkak.js";
import { lessons as drafti } from "./lessons/drafti.js";
import { lessons as international } from "./lessons/international.js";
import { lessons as kalah } from "./lessons/kalah.js";
import { lessons as mawe } from "./lessons/mawe.js";
import { lessons as oware } from "./lessons/oware.js";
import { lessons as pallanguzhi } from "./lessons/pallanguzhi.js";
import { lessons as pool } from "./lessons/pool.js";
import { lessons as reversi } from "./lessons/reversi.js";
import { lessons as russian } from "./lessons/russian.js";

/** @import { Lesson } from "./types.js" */

/** In the order of the text. @type {Record<string, Lesson[]>} */
const LESSONS = { bao, brazilian, checkers, congkak, drafti, international, kalah, mawe, oware, pallanguzhi, pool, reversi, russian };

/** @param {string} game @returns {Lesson[]} */
export const lessonsOf = (game) => LESSONS[game] ?? [];
