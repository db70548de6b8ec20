// @ts-check
// The device as a place to play: its storage, the rules and the engine, put together once for the page.

import { t } from "../core/i18n.js";
import { openEngine } from "../engine/engine.js";
import init, { Game } from "../wasm/rules.js";
import { createDeviceLine } from "./line.js";
import { createStore, idOf } from "./store.js";

/** @import { DeviceLine } from "./line.js" */

const person = {
  get name() {
    return t("device.you");
  },
};

/** @type {Promise<DeviceLine> | undefined} */
let opened;

/** @returns {Promise<DeviceLine>} rejected where the rules cannot be had */
export const openDevice = () => {
  opened ??= init()
    .then(() => {
      const line = createDeviceLine({ Game, store: createStore(localStorage), openEngine, person, now: () => performance.now() });
      addEventListener("storage", ({ key }) => {
        const id = idOf(key);
        if (id !== null) line.changed(id);
      });
      return line;
    })
    .catch((error) => {
      // The next who asks tries again.
      opened = undefined;
      throw error;
    });
  return opened;
};
