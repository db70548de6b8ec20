// @ts-check
// The picture of a player: the avatar that they have chosen; else a house with seeds for a person, told apart by colours and number; a stone with a face for a computer opponent,
// which grows with the level. The name stands beside it.
//
//   svg.avatar[aria-hidden]

import { svg } from "../../core/dom.js";

/** @import { PlayerRef } from "../../core/types.js" */

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
    ...(chosen
      ? [svg("image", { href: `/looks/avatars/${chosen}.svg`, width: 40, height: 40 })]
      : level
        ? stone(level)
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

/** The greatest level, whose stone fills the picture. */
const TOP = 10;

/** A stone with a face: small, light and round-eyed at first, large, dark and stern at last. @param {number} level */
function stone(level) {
  const part = (Math.min(level, TOP) - 1) / (TOP - 1);
  const shade = Math.round(205 - 135 * part);
  const size = 0.66 + 0.34 * part;
  const ink = part > 0.45 ? "#f6ead2" : "#2d2620";
  const brow = (/** @type {number} */ side) =>
    svg("path", {
      d: `M${20 + side * 9} ${15 - 2 * part}L${20 + side * 3.4} ${14 + 2.4 * part}`,
      stroke: ink,
      "stroke-width": 1.6,
      "stroke-linecap": "round",
    });
  const eye = (/** @type {number} */ side) => svg("circle", { cx: 20 + side * 5.5, cy: 19, r: 2.2 - 0.6 * part, fill: ink });
  const smile = 27 + 3.5 * (1 - part);
  return [
    svg("rect", { width: 40, height: 40, rx: 9, fill: BOARDS[level % BOARDS.length] }),
    svg(
      "g",
      { transform: `translate(20 ${38 - 16 * size}) scale(${size.toFixed(2)}) translate(-20 -20)` },
      svg("path", {
        d: "M20 3C30 2.6 38 11 38 21C38 31 30 38 20 38C10 38 2 31.5 2 21.5C2 11 10.5 3.4 20 3Z",
        fill: `rgb(${shade} ${shade - 6} ${shade - 16})`,
        stroke: "#00000055",
      }),
      ...(part > 0.3 ? [brow(-1), brow(1)] : []),
      eye(-1),
      eye(1),
      svg("path", {
        d: `M15.5 26.5Q20 ${smile.toFixed(1)} 24.5 26.5`,
        stroke: ink,
        "stroke-width": 1.6,
        fill: "none",
        "stroke-linecap": "round",
      }),
    ),
  ];
}
