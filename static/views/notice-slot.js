// @ts-check
// The place of the notices above every page. Their module and their texts are fetched when there is the first one.

import { h } from "../core/dom.js";
import { loadRest } from "../core/i18n.js";

/** @import { Notice } from "../core/types.js" */
/** @import { Context } from "./context.js" */
/** @import { News, notices } from "./notices.js" */

/** @param {Context} ctx */
export function noticeSlot(ctx) {
  const { lobby } = ctx;
  const el = h("div", { class: "notice-slot" });
  /** @type {Promise<ReturnType<typeof notices>> | null} */
  let loading = null;

  async function load() {
    const [{ notices }] = await Promise.all([import("./notices.js"), loadRest()]);
    stop();
    const made = notices(ctx);
    el.append(made.el);
    return made;
  }

  /** Runs a task with the notices; without a network the next one tries again. @param {(made: ReturnType<typeof notices>) => void} [task] */
  function need(task) {
    loading ??= load();
    void loading.then(task, () => {
      loading = null;
    });
  }

  const stop = lobby.onChange(() => {
    const { wait, refusal, challenges } = lobby.state;
    if (wait || refusal || challenges.length > 0) need();
  });
  return {
    el,
    /** @param {News} next */
    tell: (next) => need((made) => made.tell(next)),
    /** @param {readonly Notice[]} more the server sends each again until it is closed */
    hear(more) {
      if (more.length > 0 || loading) need((made) => made.hear(more));
    },
  };
}
