// @ts-check
// The chat of a match: the players' among themselves, the spectators' among themselves. Loaded by accounts only, after the board.
//
//   section.chat
//     h2 > button[aria-expanded]  with the number of unread lines
//     div.chat-body
//       fieldset.choice-row       the room, for a player after the match
//       p                         why nothing can be read or written
//       button                    earlier lines
//       div.chat-log[role=log] > div.chat-line
//       p[role=status]            whom the reader has muted
//       form.chat-form            field, characters left, button

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, moment, number, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { deleteMute, getChatLines, getChatRooms, postChatLine, postMute } from "../net/chat.js";
import { charactersLeft, createRoom, gapAfter, hasEarlier, hideLines, markSeen, shownLines, takeLines, unread } from "./chat-state.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { nameParts } from "./parts/player-link.js";
import { playerPath, problemText } from "./texts.js";

/** @import { ChatLine, ServerMsg } from "../core/types.js" */
/** @import { RoomName } from "../net/chat.js" */
/** @import { Room } from "./chat-state.js" */
/** @import { Context } from "./context.js" */

const ROOMS = /** @type {const} */ (["players", "spectators"]);
/** The lines that one request brings. */
const PAGE = 50;
/** The last line that the reader has seen in each room of the match seen last, for the next visit. */
const STORED = "mawe.chat";

/**
 * @typedef {Object} Chat
 * @property {Context} ctx
 * @property {string} id of the match
 * @property {Record<RoomName, Room>} rooms
 * @property {RoomName} current the shown room
 * @property {boolean} open
 * @property {boolean} off whether there is no chat here
 * @property {boolean} asking whether missing lines are being fetched
 * @property {string | null} muted the player muted last
 * @property {() => void} update
 */

/**
 * Loads what the part needs, and shows it below the phrases of the match.
 * @param {Context} ctx
 * @param {string} id of the match
 * @param {HTMLElement} host has the match, which is made anew when the reader's seat changes
 * @returns {Promise<() => void>} ends it
 */
export async function startChat(ctx, id, host) {
  await Promise.all([loadPart("chat"), loadStyle("chat")]);
  const { el, destroy } = chatPart(ctx, id);
  const show = () => host.querySelector(".about")?.before(el);
  show();
  const watching = new MutationObserver(show);
  watching.observe(host, { childList: true });
  return () => {
    watching.disconnect();
    destroy();
  };
}

/** @param {Context} ctx @param {string} id */
function chatPart(ctx, id) {
  const seen = storedSeen(id);
  /** @type {Chat} */
  const chat = {
    ctx,
    id,
    rooms: { players: createRoom("players", seen[0]), spectators: createRoom("spectators", seen[1]) },
    current: "players",
    open: false,
    off: true,
    asking: false,
    muted: null,
    update,
  };
  const body = bodyOf(chat);
  const el = hideWhen(h("section", { class: "chat", "aria-label": () => t("chat.title") }, toggle(chat), body.el), () => chat.off);

  function update() {
    if (chat.open) {
      markSeen(chat.rooms[chat.current]);
      storeSeen(chat);
    }
    body.keepEnd(() => refresh(el));
  }

  const stop = ctx.line.onMessage((msg) => hear(chat, msg));
  void follow(chat);
  return {
    el,
    destroy() {
      stop();
      for (const room of ROOMS) ctx.line.send({ t: "unwatch-chat", match: id, room });
    },
  };
}

/** The room that is shown, and whether there is another one to choose. @param {Chat} chat */
const readable = ({ rooms }) => ROOMS.filter((name) => rooms[name].unreadable === null);

/** Whether chat is off in the settings, and that alone keeps the reader out of a room. @param {Chat} chat */
const isOff = ({ rooms }) => ROOMS.some((name) => rooms[name].unreadable === "chat-off");

/** Asks for the reader's rights, and follows the rooms that they may read. @param {Chat} chat */
async function follow(chat) {
  const { ctx, id, rooms } = chat;
  try {
    const { rooms: rights } = await getChatRooms(id);
    for (const name of ROOMS) {
      const right = rights.find(({ room }) => room === name);
      rooms[name].unreadable = right ? right.unreadable : "not-seated";
      rooms[name].unwritable = right ? right.unwritable : "not-seated";
    }
  } catch (refusal) {
    // Without an answer the part stays as it is; the next join asks again.
    if (problemOf(refusal).code !== "chat-disabled") return;
    for (const name of ROOMS) rooms[name].unreadable = "chat-disabled";
  }
  const open = readable(chat);
  for (const room of open) ctx.line.send({ t: "watch-chat", match: id, room });
  if (!open.includes(chat.current)) chat.current = open[0] ?? "players";
  chat.off = open.length === 0 && !isOff(chat);
  chat.update();
}

/** @param {Chat} chat @param {ServerMsg} msg */
function hear(chat, msg) {
  if (msg.t === "chat") {
    if (msg.match === chat.id) take(chat, chat.rooms[msg.room], msg.lines);
  } else if (
    // The match was joined anew, or is over: the rights may be others.
    (msg.t === "snapshot" && msg.match.id === chat.id) ||
    (msg.t === "joined" && msg.match === chat.id) ||
    (msg.t === "event" && msg.match === chat.id && msg.state.result !== null)
  )
    void follow(chat);
}

/** @param {Chat} chat @param {Room} room @param {readonly ChatLine[]} lines */
function take(chat, room, lines) {
  takeLines(room, lines);
  chat.update();
  void fill(chat, room);
}

/** Fetches lines that were missed. @param {Chat} chat @param {Room} room */
async function fill(chat, room) {
  if (chat.asking) return;
  chat.asking = true;
  try {
    for (let after = gapAfter(room); after !== null; after = gapAfter(room)) {
      const { lines } = await getChatLines(chat.id, room.name, after, PAGE);
      if (lines.length === 0) break;
      takeLines(room, lines);
      chat.update();
    }
  } catch {
    // The next line shows the gap again.
  }
  chat.asking = false;
}

/** Fetches the lines before the first one. @param {Chat} chat */
async function earlier(chat) {
  const room = chat.rooms[chat.current];
  const first = room.lines[0]?.number ?? 1;
  const after = Math.max(0, first - 1 - PAGE);
  const { lines } = await getChatLines(chat.id, room.name, after, first - 1 - after);
  takeLines(room, lines);
  chat.update();
}

/** Mutes a player, or ends that; the server then sends the lines as the reader is to see them. @param {Chat} chat @param {string} name @param {boolean} muted */
async function mute(chat, name, muted) {
  await (muted ? postMute(name) : deleteMute(name));
  chat.muted = muted ? name : null;
  if (muted) for (const room of ROOMS) hideLines(chat.rooms[room], name);
  else for (const room of ROOMS) chat.rooms[room].lines = [];
  await follow(chat);
}

// The elements.

/** @param {Chat} chat */
function toggle(chat) {
  const me = () => chat.ctx.session.player()?.name ?? "";
  const count = () => ROOMS.reduce((sum, name) => sum + unread(chat.rooms[name], me()), 0);
  return h(
    "h2",
    { class: "chat-title" },
    h(
      "button",
      {
        type: "button",
        "aria-expanded": () => String(chat.open),
        onclick: () => {
          chat.open = !chat.open;
          chat.update();
        },
      },
      h("span", {}, () => t("chat.title")),
      hideWhen(
        h("span", { class: "chat-unread", "aria-label": () => t("chat.unread", { n: count() }) }, () => number(count())),
        () => count() === 0,
      ),
    ),
  );
}

/** @param {Chat} chat */
function bodyOf(chat) {
  const room = () => chat.rooms[chat.current];
  const log = list(
    h("div", { class: "chat-log", role: "log", tabindex: "0", "aria-label": () => t(`chat.room.${chat.current}`) }),
    () => shownLines(room()),
    ({ number: n }) => `${chat.current} ${n}`,
    (line) => lineOf(chat, line),
  );
  const error = errorLine();
  function toEnd() {
    log.scrollTop = log.scrollHeight;
  }
  const el = hideWhen(
    h(
      "div",
      { class: "chat-body" },
      roomChoice(chat),
      wayIn(chat),
      hideWhen(
        h(
          "button",
          { type: "button", class: "plain", onclick: () => void earlier(chat).catch((refusal) => error.say(() => problemText(refusal))) },
          () => t("chat.earlier"),
        ),
        () => !hasEarlier(room()),
      ),
      hideWhen(
        h("p", { class: "quiet" }, () => t("chat.empty")),
        () => room().unreadable !== null || shownLines(room()).length > 0,
      ),
      hideWhen(log, () => shownLines(room()).length === 0),
      mutedNote(chat, error),
      lineForm(chat, toEnd),
      error.el,
    ),
    () => !chat.open,
  );
  return {
    el,
    /** Runs an update; a reader at the end of the log stays there. @param {() => void} run */
    keepEnd(run) {
      const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
      run();
      if (atEnd) toEnd();
    },
  };
}

/** The choice of the room, where there are two. @param {Chat} chat */
const roomChoice = (chat) =>
  hideWhen(
    choiceRow(
      "chat-room",
      () => t("chat.room"),
      ROOMS.map((value) => ({ value, label: () => t(`chat.room.${value}`) })),
      chat.current,
      (value) => {
        chat.current = /** @type {RoomName} */ (value);
        chat.update();
      },
    ),
    () => readable(chat).length < 2,
  );

/** Chat is off, and the way to switch it on. @param {Chat} chat */
const wayIn = (chat) =>
  hideWhen(
    h(
      "p",
      {},
      () => `${t("chat.off")} `,
      h("a", { href: "/settings#chat" }, () => t("chat.settings")),
    ),
    () => !isOff(chat) || readable(chat).length > 0,
  );

/** Whom the reader has just muted. @param {Chat} chat @param {ReturnType<typeof errorLine>} error */
const mutedNote = (chat, error) =>
  hideWhen(
    h(
      "p",
      { class: "chat-muted", role: "status" },
      () => (chat.muted === null ? "" : t("chat.muted", { name: chat.muted })),
      " ",
      h(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: () => void mute(chat, chat.muted ?? "", false).catch((refusal) => error.say(() => problemText(refusal))),
        },
        () => t("chat.unmute"),
      ),
    ),
    () => chat.muted === null,
  );

/** @param {Chat} chat @param {ChatLine} line */
function lineOf(chat, line) {
  const { from, text, hidden } = line;
  const me = chat.ctx.session.player()?.name;
  const mine = from !== null && from.name === me;
  const author = from === null ? h("em", {}, () => t("chat.nobody")) : h("strong", {}, ...nameParts(from));
  const said =
    hidden || text === undefined
      ? h("em", { class: "quiet" }, () => t(`chat.hidden.${hidden ?? "removed"}`))
      : h("span", { dir: "auto" }, text);
  const el = h("div", { class: mine ? "chat-line mine" : "chat-line" }, h("p", {}, author, " ", said));
  if (from !== null && !mine) {
    const more = menuOf(chat, line, from.name);
    el.append(more.button, more.el);
  }
  return el;
}

/** What a reader can do about a line: mute its author, report it. @param {Chat} chat @param {ChatLine} line @param {string} name */
function menuOf(chat, line, name) {
  let open = false;
  const error = errorLine();
  const report = `${playerPath({ name, kind: "account" })}/report?match=${chat.id}&room=${chat.current}&line=${line.number}`;
  /** @param {boolean} next */
  function toggle(next) {
    open = next;
    refresh(button);
    refresh(el);
  }
  const button = h(
    "button",
    {
      type: "button",
      class: "plain chat-more",
      "aria-expanded": () => String(open),
      "aria-label": () => t("chat.more", { name }),
      onclick: () => toggle(!open),
    },
    "⋯",
  );
  const el = hideWhen(
    h(
      "div",
      {
        class: "chat-menu",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Escape") return;
          toggle(false);
          button.focus();
        },
      },
      h("time", { class: "quiet", datetime: line.at }, () => moment(line.at)),
      h(
        "button",
        { type: "button", onclick: () => void mute(chat, name, true).catch((refusal) => error.say(() => problemText(refusal))) },
        () => t("chat.mute", { name }),
      ),
      h("a", { class: "button", href: report }, () => t("chat.report")),
      error.el,
    ),
    () => !open,
  );
  return { button, el };
}

/** @param {Chat} chat @param {() => void} toEnd shows the end of the log */
function lineForm(chat, toEnd) {
  const room = () => chat.rooms[chat.current];
  let busy = false;
  const error = errorLine();
  const field = h("input", {
    name: "line",
    type: "text",
    autocomplete: "off",
    enterkeyhint: "send",
    dir: "auto",
    "aria-label": () => t("chat.write"),
    placeholder: () => t("chat.write"),
    oninput: () => refresh(form),
    // A phone's keyboard takes half of the screen: the last lines and the field stay in sight.
    onfocus: () => globalThis.visualViewport?.addEventListener("resize", inSight),
    onblur: () => globalThis.visualViewport?.removeEventListener("resize", inSight),
  });
  function inSight() {
    toEnd();
    field.scrollIntoView({ block: "nearest" });
  }
  const left = () => charactersLeft(field.value);
  async function send() {
    const name = room().name;
    if (busy || field.value.trim() === "" || (left() ?? 0) < 0) return;
    busy = true;
    error.say(null);
    refresh(form);
    try {
      const line = await postChatLine(chat.id, name, field.value);
      field.value = "";
      take(chat, chat.rooms[name], [line]);
    } catch (refusal) {
      error.say(() => problemText(refusal));
      if ([403, 409].includes(problemOf(refusal).status)) void follow(chat);
    }
    busy = false;
    refresh(form);
    field.focus();
  }
  const form = hideWhen(
    h(
      "form",
      {
        class: "chat-form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void send();
        },
      },
      field,
      h("button", { type: "submit", class: "primary", disabled: () => busy || (left() ?? 0) < 0 }, () => t("chat.send")),
      hideWhen(
        h("p", { class: () => ((left() ?? 0) < 0 ? "error" : "quiet"), role: "status" }, () => t("chat.left", { n: left() ?? 0 })),
        () => left() === null,
      ),
    ),
    () => room().unreadable !== null || room().unwritable !== null,
  );
  return h(
    "div",
    {},
    form,
    error.el,
    hideWhen(
      h("p", { class: "quiet" }, () => problemText({ code: room().unwritable ?? "", status: 409 })),
      () => room().unreadable !== null || room().unwritable === null,
    ),
  );
}

/** @param {string} id @returns {[number, number]} */
function storedSeen(id) {
  try {
    const [match, players, spectators] = (sessionStorage.getItem(STORED) ?? "").split(" ");
    return match === id ? [Number(players) || 0, Number(spectators) || 0] : [0, 0];
  } catch {
    return [0, 0];
  }
}

/** @param {Chat} chat */
function storeSeen({ id, rooms }) {
  try {
    sessionStorage.setItem(STORED, `${id} ${rooms.players.seen} ${rooms.spectators.seen}`);
  } catch {
    // Then the lines count as unread again at the next visit.
  }
}
