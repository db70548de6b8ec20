// @ts-check
// A board on a page of another origin. Its document is sandboxed: this script has no cookies, no storage and no rights of the reader, and
// follows the public stream of the match. Texts are written by the server: when they change, the document is loaded again.

/** @import { ClockView, ServerMsg, StateView } from "../core/types.js" */

{
  /** The time before a stream that the server has refused is opened again. */
  const AGAIN_MS = 30_000;

  /** The least time before the document is loaded again, and half of the most: the frames of a match would come back at one moment. */
  const RELOAD_MS = 2_000;

  const TICK_MS = 500;

  const { stream, match } = document.body.dataset;
  const board = document.querySelector("img");
  /** The clock of the last message, and the time of that message. */
  let clock = /** @type {ClockView | null} */ (null);
  let heardAt = 0;
  let isReloading = false;

  /** @param {number} ms */
  const written = (ms) => {
    const seconds = Math.ceil(Math.max(0, ms) / 1000);
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };

  function tick() {
    for (const side of /** @type {const} */ (["first", "second"])) {
      const shown = document.querySelector(`.${side} time`);
      if (!clock || !shown) continue;
      const runs = clock.running === side && clock.first_move_ms === null;
      shown.textContent = written(clock[`${side}_ms`] - (runs ? performance.now() - heardAt : 0));
    }
  }

  /** @param {ClockView} next */
  function hear(next) {
    clock = next;
    heardAt = performance.now();
    tick();
  }

  /** @param {Pick<StateView, "ply" | "turn" | "clock" | "result">} state @param {number} seq */
  function show(state, seq) {
    for (const side of ["first", "second"])
      document.querySelector(`.${side}`)?.classList.toggle("running", state.result === null && state.turn === side);
    hear(state.clock);
    // After a takeback another position may have the same number of plies; the fragment keeps the browser from showing the one before.
    if (board && match) board.src = `/api/v1/matches/${match}/board.svg?ply=${state.ply}#${seq}`;
  }

  /** Loads the document again, once, after a pause by chance. */
  function reload() {
    if (isReloading) return;
    isReloading = true;
    setTimeout(() => location.reload(), RELOAD_MS * (1 + Math.random()));
  }

  /** @param {ServerMsg} message */
  function heed(message) {
    if (message.t === "tv" && (message.match ?? "") !== match) reload();
    else if (message.t === "snapshot" && message.match.id === match) show(message.match, message.match.seq);
    else if (message.t === "joined") hear(message.clock);
    else if (message.t === "event" && message.match === match) {
      show(message.state, message.seq);
      if (message.state.result) reload();
    }
  }

  function follow() {
    if (!stream) return;
    // It connects again by itself, and resumes after the last event.
    const source = new EventSource(stream);
    source.addEventListener("message", ({ data }) => heed(JSON.parse(data)));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS);
    });
  }

  follow();
  setInterval(tick, TICK_MS);
}
