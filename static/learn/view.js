// @ts-check
// The pages for learning: every game with its rules, its tasks, and a first game.
//
//   section.page.learn > h1, p, ul.learn-games > li.card     all games
//   section.page.learn > nav, h1, p, (h3, ol.tasks)…, p             one game
//   section.match.task                                       a task

import { h } from "../core/dom.js";
import { loadPart, t } from "../core/i18n.js";
import { GAMES, gameOf, loadGame } from "../games/index.js";
import { reloadForFiles } from "../local/version.js";
import { ready } from "../review/ready.js";
import { begin, beginText } from "../views/begin.js";
import { errorLine } from "../views/parts/error-line.js";
import { gameLinks } from "../views/parts/game-links.js";
import { nothingHere } from "../views/parts/nothing-here.js";
import { solvedOf } from "./progress.js";
import { taskTable } from "./task.js";

/** @import { GameEntry, Task } from "../games/types.js" */
/** @import { ViewMaker } from "../views/context.js" */

/** @param {string} game @returns {Promise<Task[]>} */
const tasksOf = async (game) => (await import(`../games/tasks/${game}.js`)).tasks;

/** @type {ViewMaker} */
export function learnView(ctx, { game: id, task: key }) {
  const host = h(
    "div",
    { class: "match-page" },
    h("p", { class: "quiet loading" }, () => t("loading")),
  );
  /** @type {ReturnType<typeof taskTable> | null} */
  let table = null;
  let gone = false;
  const game = id === undefined ? undefined : gameOf(id);
  const title = () => [game ? t(`game.${game.id}.name`) : "", table?.title() ?? t("menu.learn")].filter(Boolean).join(": ");

  async function load() {
    const [Game, drawn, , lists] = await Promise.all([
      ready(),
      // Only a task has a board.
      game && key !== undefined ? loadGame(game.id) : null,
      loadPart("rules"),
      Promise.all(GAMES.map(async (one) => ({ game: one, tasks: await tasksOf(one.id) }))),
    ]);
    if (gone) return;
    const tasks = lists.find((list) => list.game === game)?.tasks ?? [];
    const at = tasks.findIndex((task) => task.key === key);
    const task = tasks[at];
    if (id === undefined) host.replaceChildren(allGames(lists));
    else if (!game || (key !== undefined && !task))
      host.replaceChildren(nothingHere(() => t(game ? "missing.page" : "match.unknown-game")));
    else if (!task || !drawn) host.replaceChildren(oneGame(ctx, game, tasks));
    else {
      const next = tasks[at + 1];
      table = taskTable(ctx, Game, drawn, task, {
        number: at + 1,
        count: tasks.length,
        next: `/learn/${game.id}${next ? `/${next.key}` : ""}`,
      });
      host.replaceChildren(table.el);
      document.title = `${title()} · Mawe!`;
    }
  }
  load().catch(() => {
    // A module that a preload has lost is not fetched again by this document.
    if (!gone && !reloadForFiles()) host.replaceChildren(nothingHere(() => t("problem.offline")));
  });

  return {
    el: host,
    title,
    destroy() {
      gone = true;
      table?.destroy();
    },
  };
}

/**
 * A game against the lowest level, on this device: with hints, and with free takebacks.
 * @param {Parameters<ViewMaker>[0]} ctx
 * @param {GameEntry} game
 */
function firstGame(ctx, game) {
  const error = errorLine();
  const button = h(
    "button",
    {
      type: "button",
      class: "primary",
      onclick: () =>
        begin({ game: game.id, setup: "", level: 1, side: "first", time_control: { kind: "unlimited" }, here: true }).then(
          ctx.go,
          (problem) => error.say(() => beginText(problem)),
        ),
    },
    () => t("learn.first"),
  );
  return [button, error.el];
}

/** @param {string} game @param {Task[]} tasks */
function progressText(game, tasks) {
  const solved = solvedOf(game);
  return t("learn.progress", { done: tasks.filter(({ key }) => solved.has(key)).length, all: tasks.length });
}

/** @param {{ game: GameEntry, tasks: Task[] }[]} lists */
function allGames(lists) {
  return h(
    "section",
    { class: "page learn" },
    h("h1", { tabindex: "-1" }, () => t("menu.learn")),
    h("p", { class: "lead" }, () => t("learn.lead")),
    h(
      "ul",
      { class: "learn-games" },
      lists.map(({ game, tasks }) =>
        h(
          "li",
          { class: "card" },
          h("h2", {}, () => t(`game.${game.id}.name`)),
          h("p", {}, () => t(`game.${game.id}.lead`)),
          h("p", { class: "quiet" }, () => progressText(game.id, tasks)),
          h("a", { class: "button primary", href: `/learn/${game.id}` }, () => t("learn.title", { game: t(`game.${game.id}.name`) })),
          h(
            "p",
            {},
            h("a", { href: `/rules/${game.id}` }, () => t(`rules.${game.id}.title`)),
          ),
        ),
      ),
    ),
    h(
      "p",
      {},
      h("a", { class: "button", href: "/analysis" }, () => t("menu.analysis")),
    ),
  );
}

/**
 * The tasks under their headings.
 * @param {Task[]} tasks
 */
function groupsOf(tasks) {
  /** @type {{ group: string | undefined, first: number, list: Task[] }[]} */
  const groups = [];
  for (const [i, task] of tasks.entries()) {
    const last = groups.at(-1);
    if (last && last.group === task.group) last.list.push(task);
    else groups.push({ group: task.group, first: i + 1, list: [task] });
  }
  return groups;
}

/**
 * @param {string} game
 * @param {Task[]} tasks
 * @param {number} first the number of the first of them
 * @param {Set<string>} solved
 */
function taskList(game, tasks, first, solved) {
  const el = h(
    "ol",
    { class: "tasks", start: String(first) },
    tasks.map(({ key, texts }) =>
      h(
        "li",
        {},
        h(
          "a",
          { class: solved.has(key) ? "solved" : "", href: `/learn/${game}/${key}` },
          () => t(`task.${texts ?? game}.${key}.title`),
          solved.has(key) ? h("span", { class: "visually-hidden" }, () => `(${t("learn.is-solved")})`) : null,
        ),
      ),
    ),
  );
  el.style.setProperty("--before", String(first - 1));
  return el;
}

/** @param {Parameters<ViewMaker>[0]} ctx @param {GameEntry} game @param {Task[]} tasks */
function oneGame(ctx, game, tasks) {
  const solved = solvedOf(game.id);
  return h(
    "section",
    { class: "page learn" },
    gameLinks(game.id, "learn"),
    h("h1", { tabindex: "-1" }, () => t("learn.title", { game: t(`game.${game.id}.name`) })),
    h("p", { class: "lead" }, () => t(`game.${game.id}.lead`)),
    h("h2", {}, () => t("learn.read")),
    h(
      "p",
      {},
      h("a", { class: "button", href: `/rules/${game.id}` }, () => t(`rules.${game.id}.title`)),
    ),
    h("h2", {}, () => t("learn.tasks")),
    h("p", { class: "quiet" }, () => progressText(game.id, tasks)),
    ...groupsOf(tasks).flatMap(({ group, first, list }) => [
      group === undefined ? null : h("h3", {}, () => t(`learn.group.${group}`)),
      taskList(game.id, list, first, solved),
    ]),
    h("h2", {}, () => t("learn.play")),
    h("p", {}, () => t("learn.first.hint")),
    ...firstGame(ctx, game),
    h(
      "p",
      {},
      h("a", { class: "button", href: `/editor/${game.id}` }, () => t("editor.title")),
    ),
  );
}
