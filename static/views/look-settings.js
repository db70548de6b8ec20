// @ts-check
// How others see the player: an avatar from the set, or the picture made of the name, and a flag. A choice is stored at once.
//
//   section.card
//     fieldset.looks > legend, label > input, img.avatar…
//     label > select

import { h } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { getPreferences, patchPreferences } from "../net/api.js";
import { avatar } from "./parts/avatar.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { problemText } from "./texts.js";

/** @import { Avatar, Preferences } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The files of `looks/avatars/`, as the server has them in `wire/src/looks.rs`. @type {readonly Avatar[]} */
export const AVATARS = [
  "stone",
  "pebbles",
  "seeds",
  "cowrie",
  "house",
  "board",
  "squares",
  "disc",
  "crown",
  "fish",
  "turtle",
  "crab",
  "octopus",
  "dolphin",
  "heron",
  "starfish",
  "shell",
  "jellyfish",
  "ray",
  "snail",
  "dhow",
  "palm",
  "baobab",
  "wave",
];

/** The files of `looks/flags/`: the codes of ISO 3166-1. */
export const FLAGS =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW".split(
    " ",
  );

/** @param {Context} ctx */
export function lookPart(ctx) {
  const error = errorLine();
  /** @param {Partial<Preferences>} change */
  async function store(change) {
    error.say(null);
    try {
      await patchPreferences(change);
      await ctx.session.load();
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
  }
  const { el } = loaded(getPreferences, (kept) => h("div", {}, avatars(ctx, kept, store), flags(kept, store)));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("looks.title")),
    h("p", { class: "quiet" }, () => t("looks.hint")),
    el,
    error.el,
  );
}

/**
 * @param {Context} ctx
 * @param {Preferences} kept
 * @param {(change: Partial<Preferences>) => Promise<void>} store
 */
function avatars(ctx, kept, store) {
  const name = ctx.session.player()?.name ?? "";
  const choice = (/** @type {Avatar | null} */ one) =>
    h(
      "label",
      { title: () => t(one ? `avatar.${one}` : "avatar.none") },
      h("input", {
        type: "radio",
        name: "avatar",
        class: "visually-hidden",
        value: one ?? "",
        checked: kept.avatar === one,
        "aria-label": () => t(one ? `avatar.${one}` : "avatar.none"),
        onchange: () => void store({ avatar: one }),
      }),
      avatar({ kind: "account", name, avatar: one }),
    );
  return h(
    "fieldset",
    { class: "looks" },
    h("legend", {}, () => t("looks.avatar")),
    choice(null),
    AVATARS.map((one) => choice(one)),
  );
}

/**
 * @param {Preferences} kept
 * @param {(change: Partial<Preferences>) => Promise<void>} store
 */
function flags(kept, store) {
  const language = currentLanguage();
  const names = new Intl.DisplayNames(language, { type: "region" });
  const { compare } = new Intl.Collator(language);
  const sorted = FLAGS.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) => compare(a.name, b.name));
  const select = h(
    "select",
    { name: "flag", onchange: () => void store({ flag: select.value || null }) },
    h("option", { value: "" }, () => t("looks.flag.none")),
    sorted.map(({ code, name }) => h("option", { value: code }, name)),
  );
  select.value = kept.flag ?? "";
  return h(
    "label",
    {},
    h("span", {}, () => t("looks.flag")),
    " ",
    select,
  );
}
