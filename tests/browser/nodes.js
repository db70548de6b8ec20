// @ts-check
// Positions a second, in the browser's worker and natively: `MAWE_BIN=target/release/mawe node tests/browser/nodes.js [NODES]`, on a
// machine without other work. Both search the start of each game with a table of 16 MB; the fastest of three runs counts.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { GAMES } from "../../static/games/index.js";
import { startBrowser, startServer, visitor } from "./support.js";

const TRIES = 3;
const nodes = Number(process.argv[2] ?? 2_000_000);

const server = await startServer();
const browser = await startBrowser();
try {
  const { page } = await visitor(browser, server);
  await page.goto("/about");
  for (const { id } of GAMES) {
    /** @type {number[]} */
    const native = [];
    /** @type {number[]} */
    const inPage = [];
    for (let i = 0; i < TRIES; i++) {
      const { stdout } = await promisify(execFile)(process.env.MAWE_BIN ?? "", [
        "analyse",
        id,
        "--nodes",
        String(nodes),
        "--hash",
        "16",
        "--json",
      ]);
      native.push(JSON.parse(stdout).nps);
      inPage.push(
        await page.evaluate(
          async ([game, limit]) => {
            /** @type {typeof import("../../static/engine/engine.js")} */
            const { openEngine } = await import(/** @type {string} */ ("/engine/engine.js"));
            const engine = openEngine();
            // The library is compiled before the measurement.
            await engine.think({ game: String(game), depth: 1 });
            const began = performance.now();
            const found = await engine.think({ game: String(game), nodes: Number(limit), fresh: true });
            const took = performance.now() - began;
            engine.stop();
            return (found?.nodes ?? 0) / (took / 1000);
          },
          [id, nodes],
        ),
      );
    }
    const [n, p] = [Math.max(...native), Math.max(...inPage)];
    console.log(
      `${id}: native ${Math.round(n / 1000)}, in the page ${Math.round(p / 1000)} thousand a second: ${Math.round((100 * p) / n)} %`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
}
