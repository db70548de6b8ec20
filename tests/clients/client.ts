// A client made of the OpenAPI document: its types are those of openapi-typescript, in api.d.ts, and openapi-fetch sends the requests.
// tests/api generates, compiles and runs it.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const baseUrl = process.argv[2];
assert(baseUrl, "usage: client.js URL");
const api = createClient<paths>({ baseUrl });

const games = await api.GET("/api/v1/games");
assert(games.data);
assert(games.data.items.some(({ game }) => game === "mawe"));

const guest = await api.POST("/api/v1/guests", { body: {} });
const name = guest.data?.player?.name;
assert(name?.startsWith("Guest-"), String(name));
const cookies = guest.response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
api.use({
  onRequest: ({ request }) => request.headers.set("cookie", cookies.join("; ")),
});

const wish: components["schemas"]["NewBotMatch"] = {
  game: "checkers",
  level: 1,
  side: "first",
  time_control: { kind: "realtime", base_ms: 600_000, increment_ms: 0 },
};
const made = await api.POST("/api/v1/matches", { body: wish });
const id = made.data?.id;
assert(id);
const path = { id };
const played = await api.POST("/api/v1/matches/{id}/commands", {
  params: { path },
  body: { client_id: "a-1", seq: 0, command: { kind: "move", ply: 0, move: "11-15" } },
});
assert(played.data?.t === "event");
const { data: view } = await api.GET("/api/v1/matches/{id}", { params: { path } });
assert(view);
assert.equal(view.seats.first.player.name, name);
assert.equal(view.plies[0]?.move, "11-15");

const refused = await api.POST("/api/v1/matches", { body: { ...wish, rated: true } });
const problem = refused.error;
assert(problem);
assert.equal(problem.code, "account-needed");
assert.equal(problem.request_id, refused.response.headers.get("x-request-id"));
