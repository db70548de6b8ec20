// @ts-check
// Lighthouse on four pages as a phone sees them, and on a bare page as a control, which tells how busy the machine is:
// `MAWE_BIN=target/release/mawe node tests/browser/lighthouse.js [RUNS]`. The figures are in docs/page.md.
//
// Lighthouse is no dependency of this repository, because it is 185 MB: install it anywhere with `npm install lighthouse@12`, and name its
// program with MAWE_LIGHTHOUSE unless it is on the path.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";

import { fillServer, OPPONENT } from "./every-screen.js";
import { onPath, startBrowser, startServer, visitor } from "./support.js";

/** @import { AddressInfo } from "node:net" */

const RUNS = Number(process.argv[2] ?? 5);
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
/** In milliseconds, but for the shift of the layout. */
const METRICS = {
  fcp: "first-contentful-paint",
  lcp: "largest-contentful-paint",
  tbt: "total-blocking-time",
  cls: "cumulative-layout-shift",
};
/** A report may be larger than the usual bound for a program's output. */
const MOST_BYTES = 64 * 1024 * 1024;

const BARE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A bare page</title><meta name="viewport" content="width=device-width">
<meta name="description" content="A page of one line."><h1>A bare page</h1>`;

const program = process.env.MAWE_LIGHTHOUSE ?? onPath("lighthouse");
const chrome = process.env.MAWE_BROWSER ?? onPath("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");

/** @param {string} url */
async function audit(url) {
  const { stdout } = await promisify(execFile)(
    program,
    [url, "--quiet", "--output=json", `--only-categories=${CATEGORIES}`, "--chrome-flags=--headless --no-sandbox --disable-gpu"],
    { env: { ...process.env, CHROME_PATH: chrome }, maxBuffer: MOST_BYTES },
  );
  const { categories, audits } = JSON.parse(stdout);
  const scores = CATEGORIES.map((name) => /** @type {[string, number]} */ ([name, Math.round(100 * categories[name].score)]));
  const metrics = Object.entries(METRICS).map(([name, id]) => {
    const value = audits[id].numericValue;
    return /** @type {[string, number]} */ ([name, name === "cls" ? Number(value.toFixed(3)) : Math.round(value)]);
  });
  /** Audits of the other categories that a page fails. @type {string[]} */
  const failed = CATEGORIES.slice(1).flatMap((name) =>
    categories[name].auditRefs
      .filter((/** @type {{ id: string, weight: number }} */ { id, weight }) => weight > 0 && audits[id].score === 0)
      .map((/** @type {{ id: string }} */ { id }) => id),
  );
  const [largest] = audits["largest-contentful-paint-element"]?.details?.items?.[0]?.items ?? [];
  return { figures: new Map([...scores, ...metrics]), failed, largest: String(largest?.node?.snippet ?? "?") };
}

// It has no other files, such as a robots.txt.
const bare = createServer(({ url }, answer) => void answer.writeHead(url === "/" ? 200 : 404, { "content-type": "text/html" }).end(BARE));
await new Promise((ready) => bare.listen(0, "127.0.0.1", () => ready(null)));
const server = await startServer(["--spectator-delay", "0", "--operator-page"]);
const browser = await startBrowser();
try {
  const { filled } = await fillServer(
    () => visitor(browser, server),
    (...words) => server.admin(...words),
  );
  for (const [name, url] of [
    ["home", server.url],
    ["match", `${server.url}/match/${filled.running.get("mawe")}`],
    ["watch", `${server.url}/watch`],
    ["profile", `${server.url}/player/${OPPONENT}`],
    ["bare page", `http://127.0.0.1:${/** @type {AddressInfo} */ (bare.address()).port}/`],
  ]) {
    /** @type {Awaited<ReturnType<typeof audit>>[]} */
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await audit(String(url)));
    const told = [...(runs[0]?.figures.keys() ?? [])].map((key) => {
      const sorted = runs.map(({ figures }) => figures.get(key) ?? Number.NaN).sort((a, b) => a - b);
      return `${key} ${sorted[Math.floor(RUNS / 2)]} (${sorted[0]} to ${sorted.at(-1)})`;
    });
    console.log(
      `${name}: ${told.join(", ")}; fails: ${[...new Set(runs.flatMap(({ failed }) => failed))].join(" ") || "none"}; largest: ${[...new Set(runs.map(({ largest }) => largest))].join(" ")}`,
    );
  }
} finally {
  await browser.close();
  bare.close();
  await server.stop();
}
process.exit();
