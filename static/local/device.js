// @ts-check
// Matches on this device: its storage, the rules and the engine, put together once for the page.

import { twice } from "../core/files.js";
import { t } from "../core/i18n.js";
import { openEngine } from "../engine/engine.js";
import init, { Referee } from "../wasm/rules.js";
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

/** @returns {Promise<DeviceLine>} rejected if the rules cannot be loaded */
export const openDevice = () => {
  opened ??= twice(init)
    .then(() => {
      const line = createDeviceLine({ Referee, store: createStore(localStorage), openEngine, person, now: () => performance.now() });
      addEventListener("storage", ({ key }) => {
        const id = idOf(key);
        if (id !== null) line.changed(id);
      });
      return line;
    })
    .catch((error) => {
      // The next call tries again.
      opened = undefined;
      throw error;
    });
  return opened;
};
