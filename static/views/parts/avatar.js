// @ts-check
// The picture of a player: the portrait of a computer opponent, by its level; of others the avatar that they have chosen, else a house with
// seeds, told apart by colours and number. The name stands beside it.
//
//   svg.avatar[aria-hidden]

import { svg } from "../../core/dom.js";

/** @import { PlayerRef } from "../../core/types.js" */

/** The portraits: symbols of one file, which is fetched once, also for games on the device. */
const { href } = new URL("../../icons/opponents.svg", import.meta.url);
/** The highest level. */
const TOP = 10;

/** The colours of the board, of the hollow and of the seeds. */
const BOARDS = ["#b98a55", "#94513a", "#5d7a4b", "#47535a", "#8a6d9c", "#3f6f8f", "#a8733a", "#7a4a58"];
const SEEDS = ["#f6ead2", "#cfd8d6", "#e8b98a", "#f2d06b", "#bcd3a2", "#e4a08a"];
const MOST_SEEDS = 7;

/** A number from a name (FNV-1a), the same on every device. @param {string} name */
function hashOf(name) {
  let hash = 0x811c9dc5;
  for (const letter of name.toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** @param {PlayerRef} player */
export function avatar({ name, level, avatar: chosen }) {
  return svg(
    "svg",
    { class: "avatar", viewBox: "0 0 40 40", "aria-hidden": "true" },
    ...(level
      ? [svg("use", { href: `${href}#level-${Math.min(level, TOP)}` })]
      : chosen
        ? [svg("image", { href: `/looks/avatars/${chosen}.svg`, width: 40, height: 40 })]
        : house(hashOf(name))),
  );
}

/** @param {number} hash */
function house(hash) {
  const board = BOARDS[hash % BOARDS.length];
  const seed = SEEDS[(hash >>> 4) % SEEDS.length];
  const odd = SEEDS[(hash >>> 8) % SEEDS.length];
  const count = 2 + ((hash >>> 12) % (MOST_SEEDS - 1));
  const turn = ((hash >>> 16) % 360) * (Math.PI / 180);
  // Around the middle, where one more lies if there are many.
  const around = count > 4 ? count - 1 : count;
  const places = Array.from({ length: around }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / around;
    return { x: 20 + 7.6 * Math.cos(angle), y: 20 + 7.6 * Math.sin(angle) };
  });
  if (count > around) places.push({ x: 20, y: 20 });
  return [
    svg("rect", { width: 40, height: 40, rx: 9, fill: board }),
    svg("circle", { cx: 20, cy: 20, r: 15.5, fill: "#000", "fill-opacity": 0.45 }),
    ...places.map(({ x, y }, i) =>
      svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 4.1, fill: i === 0 ? odd : seed, stroke: "#00000066", "stroke-width": 0.8 }),
    ),
  ];
}
