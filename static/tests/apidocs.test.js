// @ts-check
// The page of the API without a page: reading the document, trees of schemas, examples, requests, search, and bounded answers.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import {
  append,
  base64,
  emptyLog,
  headersOfInterest,
  isText,
  MAX_LINE_CHARS,
  MAX_LINES,
  pretty,
  readLines,
  readStart,
} from "../apidocs/answer.js";
import { accessText, isSocket, isStream, readDocument, resolve, valueAt } from "../apidocs/document.js";
import { examplesOf, firstExample, messagesOf } from "../apidocs/messages.js";
import { emptyValues, exampleOf, requestOf } from "../apidocs/request.js";
import { sampleOf } from "../apidocs/sample.js";
import { nodeOf } from "../apidocs/schema.js";
import { indexOf, MAX_FOUND, search } from "../apidocs/search.js";
import { identityOf, javascriptValue, NO_METHOD, pythonValue, snippetsOf } from "../apidocs/snippets.js";

/** @import { Operation } from "../apidocs/document.js" */

const file = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The document of the last release, as it is compared with: without descriptions, but with every operation and schema. */
const released = readDocument(JSON.parse(file("docs/openapi-released.json")));

const PROBLEM = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

/** A document with one of each kind. */
const small = readDocument({
  info: { title: "Small", version: "1.0" },
  tags: [{ name: "matches", description: "Matches." }, { name: "unused" }],
  "x-codes": [
    { code: "not-found", status: 404, meaning: "There is no such thing." },
    { code: "account-needed", status: 403, meaning: "A guest requests something that needs an account." },
    { code: "bad-frame", meaning: "The frame is not text." },
  ],
  paths: {
    "/api/v1/matches/{id}": {
      get: {
        operationId: "get_matches_by_id",
        tags: ["matches"],
        summary: "Returns a match.\nIt has all plies.",
        parameters: [
          { name: "id", in: "path", required: true, schema: { $ref: "#/components/schemas/MatchId" } },
          { name: "limit", in: "query", schema: { type: ["integer", "null"], minimum: 1, maximum: 50 } },
          { name: "rated", in: "query", schema: { type: ["boolean", "null"] } },
        ],
        security: [{}, { session: [] }, { token: ["read"] }],
        responses: {
          200: {
            description: "done",
            headers: { ETag: { $ref: "#/components/headers/ETag" } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } },
            links: { again: { operationId: "get_matches_by_id", parameters: { id: "$response.body#/name" } } },
          },
          404: { description: "`not-found`, never `nothing`", content: PROBLEM },
        },
      },
    },
    "/api/v1/challenges": {
      post: {
        operationId: "post_challenges",
        tags: ["challenges"],
        summary: "Challenges a player.",
        parameters: [{ name: "Idempotency-Key", in: "header", schema: { type: "string" } }],
        requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Offer" } } } },
        security: [{ session: [] }, { token: ["challenge"] }],
        responses: { 201: { description: "created" }, 403: { description: "`account-needed`", content: PROBLEM } },
      },
    },
    "/api/v1/me/tokens/{id}": {
      delete: {
        operationId: "delete_me_tokens_by_id",
        tags: ["tokens"],
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        security: [{ session: [] }],
        responses: { 204: { description: "done" } },
      },
    },
  },
  components: {
    headers: { ETag: { description: "the version", schema: { type: "string" } } },
    schemas: {
      MatchId: { type: "string", minLength: 12, maxLength: 12 },
      Problem: { type: "object", required: ["code"], properties: { code: { type: "string" } } },
      Side: { type: "string", enum: ["first", "second"] },
      Tree: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", description: "Its name." },
          side: { oneOf: [{ type: "null" }, { $ref: "#/components/schemas/Side" }] },
          branches: { type: "array", maxItems: 3, items: { $ref: "#/components/schemas/Tree" } },
        },
      },
      Clock: {
        oneOf: [
          {
            type: "object",
            title: "ClockFast",
            required: ["kind", "base_ms"],
            properties: { kind: { enum: ["fast"] }, base_ms: { type: "integer", minimum: 1000 } },
          },
          { type: "object", title: "ClockNone", required: ["kind"], properties: { kind: { enum: ["none"] } } },
        ],
      },
      Offer: {
        allOf: [
          { type: "object", required: ["game"], properties: { game: { type: "string", enum: ["mawe", "oware"] } } },
          { type: "object", required: ["clock"], properties: { clock: { $ref: "#/components/schemas/Clock" }, note: { type: "string" } } },
        ],
      },
      ClientMsg: {
        oneOf: [
          {
            type: "object",
            description: "Follow a match.",
            required: ["t", "match"],
            properties: { t: { enum: ["join"] }, match: { $ref: "#/components/schemas/MatchId" } },
          },
          { type: "object", description: "Say something.", required: ["t"], properties: { t: { enum: ["ping"] } } },
        ],
      },
      ServerMsg: { oneOf: [{ $ref: "#/components/schemas/Pong" }] },
      Pong: { type: "object", required: ["t"], properties: { t: { enum: ["pong"] } } },
      Endless: { $ref: "#/components/schemas/Endless" },
    },
  },
});

/** @param {string} id @returns {Operation} */
function operation(id) {
  const found = small.operations.get(id);
  assert.ok(found, id);
  return found;
}

const CONTEXT = { origin: "http://127.0.0.1:8080", schemas: small.schemas };
/** @param {string} id @param {Record<string, string>} parameters @param {string} [body] */
const snippets = (id, parameters, body) => {
  const values = emptyValues(operation(id), small.schemas);
  const [curl, python, javascript] = snippetsOf(operation(id), { parameters, body: body ?? values.body }, CONTEXT);
  return { curl: curl?.code, python: python?.code, javascript: javascript?.code };
};

describe("the document", () => {
  test("is read into operations with everything that belongs to them", () => {
    const match = operation("get_matches_by_id");
    assert.deepEqual([match.method, match.title, match.description], ["GET", "Returns a match.", "It has all plies."]);
    const [good, missing] = match.answers;
    assert.deepEqual(good?.next, [{ operation: "get_matches_by_id", parameters: { id: "/name" } }]);
    assert.equal(good?.headers[0]?.description, "the version");
    assert.deepEqual(missing?.codes, ["not-found"], "only codes that the document lists");
    assert.deepEqual(
      small.tags.map(({ name }) => name),
      ["matches", "challenges", "tokens"],
    );
  });

  test("says who may call", () => {
    const of = (/** @type {string} */ id) => accessText(operation(id).access);
    assert.equal(of("get_matches_by_id"), "Open to everybody; a session or a token with the scope `read` tells who you are.");
    assert.equal(
      of("post_challenges"),
      "Needs a session or a token with the scope `challenge`. Guests have fewer rights than accounts here: see 403.",
    );
    assert.equal(of("delete_me_tokens_by_id"), "Needs a session; no token is enough.");
  });

  test("ends where a reference leads to itself or nowhere", () => {
    assert.deepEqual(resolve({ $ref: "#/components/schemas/Nothing" }, small.schemas), {});
    assert.ok(resolve({ $ref: "#/components/schemas/Endless" }, small.schemas));
    assert.equal(sampleOf({ $ref: "#/components/schemas/Endless" }, small.schemas), "text");
  });

  test("of the release has every operation in a tag", () => {
    assert.ok(released.operations.size > 80);
    assert.equal(
      released.tags.reduce((sum, { operations }) => sum + operations.length, 0),
      released.operations.size,
    );
  });
});

describe("the tree of a schema", () => {
  test("has types, bounds and values, and null as a word", () => {
    const tree = nodeOf("", { $ref: "#/components/schemas/Tree" }, small.schemas);
    const [name, side, branches] = tree.children?.() ?? [];
    assert.deepEqual([name?.type, name?.required, name?.description], ["string", true, "Its name."]);
    assert.deepEqual([side?.type, side?.ref, side?.values], ["Side or null", "Side", ["first", "second"]]);
    assert.deepEqual([branches?.type, branches?.limits], ["list of Tree", ["up to 3 items"]]);
  });

  test("ends where it would repeat itself", () => {
    const branches = nodeOf("", { $ref: "#/components/schemas/Tree" }, small.schemas).children?.()[2];
    assert.equal(branches?.isRepeated, true);
    assert.equal(branches?.children, null);
  });

  test("names variants by their tag, and takes the parts of an object together", () => {
    const offer = nodeOf("", { $ref: "#/components/schemas/Offer" }, small.schemas).children?.() ?? [];
    assert.deepEqual(
      offer.map(({ name, required }) => [name, required]),
      [
        ["game", true],
        ["clock", true],
        ["note", false],
      ],
    );
    assert.deepEqual(
      offer[1]?.children?.().map(({ name }) => name),
      ["fast", "none"],
    );
  });

  test("of every released schema is finite, to any depth", () => {
    let visited = 0;
    /** @param {import("../apidocs/schema.js").Node} node @param {number} depth */
    function visit(node, depth) {
      visited += 1;
      assert.ok(depth < 40 && visited < 500_000, node.name);
      for (const child of node.children?.() ?? []) visit(child, depth + 1);
    }
    for (const name of Object.keys(released.schemas)) visit(nodeOf(name, { $ref: `#/components/schemas/${name}` }, released.schemas), 0);
    assert.ok(visited > 2_000);
  });
});

describe("an example", () => {
  test("of a request has the fields that must be there, of an answer all", () => {
    assert.deepEqual(sampleOf({ $ref: "#/components/schemas/Offer" }, small.schemas), {
      game: "mawe",
      clock: { kind: "fast", base_ms: 1000 },
    });
    assert.deepEqual(sampleOf({ $ref: "#/components/schemas/Tree" }, small.schemas, { isWhole: true }), {
      name: "Amina",
      side: "first",
      branches: [],
    });
  });

  test("that the document gives comes first", () => {
    assert.equal(sampleOf({ type: "string", example: "given", enum: ["other"] }, {}), "given");
    assert.equal(sampleOf({ type: "string", examples: ["first", "second"] }, {}), "first");
  });

  test("has the length that the schema wants", () => {
    assert.equal(String(sampleOf({ type: "string", minLength: 9 }, {})).length, 9);
    assert.equal(sampleOf({ type: "string", maxLength: 2 }, {}), "te");
    assert.equal(
      exampleOf({ name: "id", in: "path", required: true, description: "", schema: { type: "string" }, example: undefined }, {}),
      "Kx7Rm2Qp9TzA",
    );
  });

  test("of every released body is there", () => {
    const bodies = [...released.operations.values()].flatMap(({ body }) => body ?? []);
    assert.ok(bodies.length > 20);
    for (const { schema } of bodies) assert.equal(typeof sampleOf(schema, released.schemas), "object");
  });
});

describe("a form", () => {
  test("becomes a request", () => {
    const { request, faults } = requestOf(operation("get_matches_by_id"), { parameters: { id: "a/b c", limit: "5", rated: "" }, body: "" });
    assert.deepEqual(faults, []);
    assert.deepEqual(request, { method: "GET", path: "/api/v1/matches/a%2Fb%20c?limit=5", headers: {}, body: null });
    const challenge = requestOf(operation("post_challenges"), { parameters: { "Idempotency-Key": "k-1" }, body: "{}" });
    assert.deepEqual(challenge.request.headers, { "Idempotency-Key": "k-1", "Content-Type": "application/json" });
  });

  test("is not sent without its address or with a body that is no JSON", () => {
    const faults = (/** @type {string} */ id, /** @type {import("../apidocs/request.js").Values} */ values) =>
      requestOf(operation(id), values).faults.map(({ field }) => field);
    assert.deepEqual(faults("get_matches_by_id", { parameters: {}, body: "" }), ["id"]);
    assert.deepEqual(faults("get_matches_by_id", { parameters: { id: ".." }, body: "" }), ["path"]);
    assert.deepEqual(faults("post_challenges", { parameters: {}, body: "{" }), ["body"]);
    assert.deepEqual(faults("post_challenges", { parameters: { "Idempotency-Key": "ä" }, body: "{}" }), ["Idempotency-Key"]);
  });

  test("sends a value that the server will refuse: its answer is what the reader wants to see", () => {
    assert.deepEqual(requestOf(operation("get_matches_by_id"), { parameters: { id: "x", limit: "many" }, body: "" }).faults, []);
  });
});

describe("the examples in three languages", () => {
  test("have the values of the form, and examples for what must be there", () => {
    const typed = snippets("get_matches_by_id", { id: "it's", limit: "5", rated: "true" });
    assert.equal(typed.curl, "curl -sS 'http://127.0.0.1:8080/api/v1/matches/it'\\''s?limit=5&rated=true'");
    assert.match(typed.python ?? "", /print\(client\.get_matches_by_id\("it's", limit=5, rated=True\)\)/);
    assert.match(
      typed.javascript ?? "",
      /client\.rest\.GET\("\/api\/v1\/matches\/\{id\}", \{ params: \{ path: \{ id: "it's" \}, query: \{ limit: 5, rated: true \} \} \}\)/,
    );
    assert.match(snippets("get_matches_by_id", {}).curl ?? "", /\/api\/v1\/matches\/Kx7Rm2Qp9TzA'$/);
  });

  test("have the identity that the operation needs, and no secret", () => {
    assert.equal(identityOf(operation("get_matches_by_id")), "none");
    const challenge = snippets("post_challenges", {}, '{"game":"mawe"}');
    assert.match(
      challenge.curl ?? "",
      /-H "Authorization: Bearer \$MAWE_TOKEN" \\\n {2}-H 'Content-Type: application\/json' \\\n {2}-d '\{"game":"mawe"\}'$/,
    );
    assert.match(
      challenge.python ?? "",
      /token=os\.environ\["MAWE_TOKEN"\]\) as client:\n {4}client\.post_challenges\(\{"game": "mawe"\}\)$/,
    );
    assert.match(challenge.javascript ?? "", /\{ token: process\.env\.MAWE_TOKEN \}/);
    const revoke = snippets("delete_me_tokens_by_id", { id: "t" });
    assert.match(revoke.curl ?? "", /-X DELETE \\\n {2}-b cookies$/);
    assert.match(revoke.python ?? "", /client\.post_sessions\(/);
  });

  test("write values as their languages do", () => {
    const value = { a: [true, null, 1.5, 'q"'], "b-c": {} };
    assert.equal(pythonValue(value), '{"a": [True, None, 1.5, "q\\""], "b-c": {}}');
    assert.equal(javascriptValue(value), '{ a: [true, null, 1.5, "q\\""], "b-c": {} }');
    assert.match(pythonValue({ a: "x".repeat(90) }), /^\{\n {4}"a": "x+",\n\}$/);
  });

  test("know the operations that the library in Python leaves out", () => {
    const leftOut = /LEFT_OUT = re\.compile\(r"([^"]+)"\)/.exec(file("clients/generate.py"))?.[1] ?? "";
    const paths = [...file("clients/typescript/src/schema.ts").matchAll(/^ {4}"(\/[^"]*)": \{$/gm)].map(([, path]) => path ?? "");
    assert.ok(leftOut !== "" && paths.length > 80, `${paths.length} addresses`);
    // Streams and the socket have methods that are written by hand.
    for (const path of paths.filter((path) => !/\/stream$|\/ws$/.test(path)))
      assert.equal(NO_METHOD.test(path), new RegExp(leftOut).test(path), path);
  });

  test("send forms as forms", () => {
    const form = { mime: "application/x-www-form-urlencoded", required: true, schema: { type: "object" } };
    const access = { anyone: true, session: false, scope: undefined, only: [] };
    const one = { ...operation("get_matches_by_id"), method: "POST", path: "/oauth/revoke", parameters: [], body: form, access };
    const { request, faults } = requestOf(one, { parameters: {}, body: '{ "token": "a b" }' });
    assert.deepEqual([request.body, request.headers["Content-Type"], faults], ["token=a+b", form.mime, []]);
    const [curl, python, javascript] = snippetsOf(
      one,
      { parameters: {}, body: '{ "token": "a b" }' },
      { origin: "http://m.test", schemas: {} },
    );
    assert.match(curl?.code ?? "", /-d 'token=a\+b'$/);
    assert.match(python?.code ?? "", /http\.request\("POST", "\/oauth\/revoke", data=\{"token": "a b"\}\)/);
    assert.match(javascript?.code ?? "", /body: new URLSearchParams\(\{ token: "a b" \}\)/);
  });

  test("name only methods and addresses that the libraries have", () => {
    const python = new Set([...file("clients/python/src/mawe/_operations.py").matchAll(/^ {4}def ([a-z]\w*)\(/gm)].map(([, name]) => name));
    const client = file("clients/python/src/mawe/_client.py");
    const schema = file("clients/typescript/src/schema.ts");
    const typescript = file("clients/typescript/src/index.ts");
    let checked = 0;
    for (const one of released.operations.values()) {
      const [, inPython, inJavascript] = snippetsOf(one, emptyValues(one, released.schemas), {
        origin: "http://mawe.test",
        schemas: released.schemas,
      });
      const method = [...(inPython?.code ?? "").matchAll(/ in (?:client|live)\.(\w+)\(/g)].pop()?.[1] ?? "";
      const isLong = isStream(one) || isSocket(one);
      if (isLong) assert.ok(method === "messages" || client.includes(`def ${method}(`), one.id);
      else if (!inPython?.code.includes("import httpx"))
        assert.ok(inPython?.code.includes(`client.${one.id}(`) && python.has(one.id), one.id);
      else assert.ok(!python.has(one.id), `${one.id} has a method, and the example goes without`);
      const streams = /client\.(\w+Stream)\(/.exec(inJavascript?.code ?? "")?.[1];
      if (streams) assert.ok(typescript.includes(`${streams}(`), one.id);
      else if (!isSocket(one))
        assert.ok(schema.includes(`"${one.path}": {`) && inJavascript?.code.includes(`client.rest.${one.method}("${one.path}"`), one.id);
      checked += 1;
    }
    assert.equal(checked, released.operations.size);
  });
});

describe("the document of the page", () => {
  const html = file("static/apidocs/index.html");
  const sources = readdirSync(new URL("../apidocs/", import.meta.url)).filter((name) => name.endsWith(".js"));

  test("asks for all modules in one round", () => {
    const asked = [...html.matchAll(/rel="modulepreload" href="\/apidocs\/([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(
      sources.filter((name) => !["docs.js", "theme.js"].includes(name)),
      asked.toSorted(),
    );
  });

  test("has a link to each guide", () => {
    const listed = /GUIDES = \[([^\]]+)\]/.exec(file("static/apidocs/guides.js"))?.[1] ?? "";
    const names = [...listed.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    const linked = [...html.matchAll(/href="\/api\/docs\/([^"]+)"/g)].map(([, name]) => name);
    assert.ok(names.length > 4);
    assert.deepEqual(linked, names);
  });
});

describe("the search", () => {
  const entries = indexOf(small, messagesOf(small), [{ guide: "The wire", text: "Close codes", href: "/api/docs/protocol#close-codes" }]);
  /** @param {string} query */
  const first = (query) => search(entries, query)[0]?.href;

  test("finds operations by address, method, text, parameter, schema and code", () => {
    assert.equal(first("post challenges"), "#operation/post_challenges");
    assert.equal(first("RETURNS a match"), "#operation/get_matches_by_id");
    assert.equal(first("limit rated"), "#operation/get_matches_by_id");
    assert.equal(first("delete"), "#operation/delete_me_tokens_by_id");
    assert.ok(search(entries, "account-needed").some(({ href }) => href === "#operation/post_challenges"));
    assert.ok(search(entries, "base_ms").some(({ href }) => href === "#schema/Clock"));
  });

  test("finds codes, messages, schemas and guides", () => {
    assert.equal(first("not-found"), "#code/not-found");
    assert.equal(first("join"), "#message/client/join");
    assert.equal(first("Tree"), "#schema/Tree");
    assert.equal(first("close codes"), "/api/docs/protocol#close-codes");
  });

  test("finds nothing for nothing, and not more than a list can have", () => {
    assert.deepEqual(search(entries, "  "), []);
    assert.deepEqual(search(entries, "match xyzzy"), []);
    const many = indexOf(released, [], []);
    assert.equal(search(many, "e").length, MAX_FOUND);
    assert.ok(search(many, "e".repeat(100_000)).length === 0);
  });
});

describe("the messages of the socket", () => {
  test("come from the schemas, with the examples of the guide", () => {
    const messages = messagesOf(small);
    assert.deepEqual(
      messages.map(({ sender, name }) => `${sender} ${name}`),
      ["client join", "client ping", "server pong"],
    );
    const [join, ping] = messages;
    assert.ok(join && ping);
    const examples = [
      { file: "server-pong", text: '{ "t": "pong" }', heading: "pong" },
      { file: "client-join", text: '{ "t": "join", "match": "a" }', heading: "join" },
      { file: "client-broken", text: "{", heading: "join" },
    ];
    assert.deepEqual(examplesOf(join, examples), [examples[1]]);
    assert.equal(firstExample(join, examples, small), '{ "t": "join", "match": "a" }');
    assert.deepEqual(JSON.parse(firstExample(ping, [], small)), { t: "ping" });
  });
});

describe("an answer", () => {
  /** @param {...string} parts */
  const body = (...parts) =>
    /** @type {ReadableStream<Uint8Array>} */ (
      new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
          controller.close();
        },
      })
    );

  test("is read up to its bound, and the rest is refused", async () => {
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const { bytes, isCut } = await readStart(endless, 4_500);
    assert.deepEqual([bytes.length, isCut, isCancelled], [4_500, true, true]);
    const whole = await readStart(body("ab", "c"), 3);
    assert.deepEqual([new TextDecoder().decode(whole.bytes), whole.isCut], ["abc", false]);
    assert.equal((await readStart(null)).bytes.length, 0);
  });

  test("in lines is told line by line, wherever it was cut on the way", async () => {
    /** @type {string[]} */
    const lines = [];
    await readLines(body('{"a":', '"ä"}\n\n{"b"', ":1}\nlast"), (line) => lines.push(line));
    assert.deepEqual(lines, ['{"a":"ä"}', '{"b":1}', "last"]);
  });

  test("of one endless line keeps a part of it", async () => {
    /** @type {string[]} */
    const lines = [];
    await readLines(body(...Array.from({ length: 40 }, () => "x".repeat(5_000))), (line) => lines.push(line));
    assert.equal(lines.length, 1);
    assert.ok((lines[0] ?? "").length <= 2 * MAX_LINE_CHARS);
  });

  test("of many lines keeps the last", () => {
    const log = emptyLog();
    for (let n = 0; n < MAX_LINES + 5; n++) append(log, `line ${n}`);
    assert.deepEqual([log.lines.length, log.dropped, log.lines[0]], [MAX_LINES, 5, "line 5"]);
    append(log, "x".repeat(MAX_LINE_CHARS + 1));
    assert.ok((log.lines.at(-1) ?? "").length < MAX_LINE_CHARS + 40);
  });

  test("is shown as its type wants", () => {
    assert.equal(pretty('{"a":1}'), '{\n  "a": 1\n}');
    assert.equal(pretty("1. 11-15"), "1. 11-15");
    for (const mime of ["application/json", "application/problem+json", "application/x-ndjson", "text/plain", "application/x-draughts-pdn"])
      assert.ok(isText(mime), mime);
    for (const mime of ["image/svg+xml", "image/png", "application/octet-stream", ""]) assert.ok(!isText(mime), mime);
    assert.equal(base64(new Uint8Array(20_000)), Buffer.alloc(20_000).toString("base64"));
    const headers = new Headers({ "X-Request-Id": "1", Date: "now", "Content-Type": "text/plain" });
    assert.deepEqual(
      headersOfInterest(headers).map(([name]) => name),
      ["content-type", "x-request-id"],
    );
  });

  test("leads on by the values in it", () => {
    assert.equal(valueAt({ player: { name: "Amina" } }, "/player/name"), "Amina");
    assert.equal(valueAt({ player: null }, "/player/name"), undefined);
  });
});
