import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../../app/events/log.ts";
import { webhookPath } from "../../../app/settings/settings.ts";
import { RalphError } from "../../../src/error.ts";
import { createBrowser } from "../../support/app/browser.ts";
import { deliver, sign } from "../../support/app/deliveries.ts";
import { type AppGitHub, startAppGitHub } from "../../support/app/github.ts";
import { addPeople, client } from "../../support/app/people-github.ts";
import { base } from "../../support/app/running-app.ts";
import { createCanaries, createCanaryFinder } from "../../support/canaries/canaries.ts";
import { createTestFolder } from "../../support/project/system.ts";

function linesOf(secrets: string[], act: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  act(createLog({ clock: { now: () => 0 }, write: (line) => lines.push(line), secrets }));
  return lines;
}

test("a line is one JSON object with time, level, message and plain fields", () => {
  const [line = ""] = linesOf([], (log) =>
    log.info({ job: "7", attempt: 2, data: { x: 1 } }, "did"),
  );
  expect(line.endsWith("}\n")).toBe(true);
  expect(JSON.parse(line)).toEqual({
    ...{ time: "1970-01-01T00:00:00.000Z", level: "info", msg: "did", job: "7", attempt: 2 },
  });
});

test("an error is logged without the properties of libraries, and without secrets", () => {
  const cause = Object.assign(new Error("401 for s3cret-of-ours"), {
    status: 401,
    request: { headers: { authorization: "token s3cret-of-ours" } },
  });
  const error = new RalphError("config", { message: "no s3cret-of-ours", remedy: "", cause });
  const event = { payload: { body: "the text of a comment" } };
  const [line = ""] = linesOf(["s3cret-of-ours"], (log) =>
    log.error(Object.assign(error, { event })),
  );
  expect(line).not.toMatch(/s3cret|the text of a comment|authorization/);
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    err: {
      type: "RalphError",
      message: "no ***",
      reason: "config",
      status: 401,
      cause: "401 for ***",
    },
  });
});

test("an unknown token is redacted, an escape is removed and an endless text is cut", () => {
  const token = "ghs_abcdefghijklmnopqrstuvwxyz0123456789";
  const lines = linesOf([], (log) => {
    log.warn(`with ${token}`);
    log.warn("\u001b[2Jcleared\u202e");
    log.error(new Error("x".repeat(1_000_000)), "long");
    log.debug({ body: "a request" }, "asked");
  });
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("with ***");
  expect(lines[1]).toContain('"msg":"cleared"');
  expect(lines[2]?.length).toBeLessThan(10_000);
});

/** Starts the App as people do; `written` returns its output so far. */
async function startProcess(github: AppGitHub, env: Record<string, string>) {
  const folder = await createTestFolder();
  const app = spawn(process.execPath, ["app/main.ts"], {
    env: {
      ...{ PATH: process.env.PATH, HOME: folder.path, RALPH_DATA_DIR: `${folder.path}/data` },
      ...{ APP_ID: "1", PORT: "0", PRIVATE_KEY: github.privateKey },
      ...{ GHE_HOST: new URL(github.server.url).host, GHE_PROTOCOL: "http" },
      ...env,
    },
  });
  let written = "";
  for (const stream of [app.stdout, app.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  const exited = once(app, "exit");
  const stop = async () => {
    app.kill("SIGKILL");
    await exited;
  };
  onTestFinished(async () => {
    await stop();
    await folder[Symbol.asyncDispose]();
  });
  await expect.poll(() => written).toMatch(/listens at http/);
  const url = /listens at (\S+)/.exec(written)?.[1] ?? "";
  return { url, stop, written: () => written };
}

test("no line of a whole process, with sign-ins, requests and failures, contains a secret or a payload", async () => {
  const github = await startAppGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const people = addPeople(github);
  people.people.set("ada", { id: 5, repositories: [] });
  const { values } = createCanaries();
  const { github: webhookSecret = "", openai: metrics = "", anthropic: text = "" } = values;
  const app = await startProcess(github, {
    ...{ WEBHOOK_SECRET: webhookSecret, METRICS_TOKEN: metrics },
    ...{ GITHUB_CLIENT_ID: client.clientId, GITHUB_CLIENT_SECRET: client.clientSecret },
    PUBLIC_URL: "http://127.0.0.1:3000",
  });
  const ada = createBrowser(app.url);
  const { headers } = await ada.open("/login");
  await ada.open(people.agree(String(headers.location), "ada"));
  expect((await ada.open("/queue")).status).toBe(200);
  github.more = (asked) =>
    asked.startsWith("GET /users/") ? { status: 404, body: { message: "Not Found" } } : undefined;
  // The App fails at both: one payload is invalid, and for the other GitHub's answer lacks a field.
  const issue = { number: 3, state: "open", title: text, body: text, updated_at: "now" };
  for (const payload of [
    { action: "created", repository: { id: text }, comment: { body: text } },
    { action: "labeled", label: { name: "ralph" }, issue },
  ]) {
    const body = JSON.stringify({ ...base, ...payload });
    const event = payload.action === "labeled" ? "issues" : "issue_comment";
    const signature = sign(body, webhookSecret);
    const sent = { id: randomUUID(), event, body, signature };
    expect(await deliver(`${app.url}${webhookPath}`, sent)).toMatchObject({ status: 202 });
  }
  const failed = () => app.written().match(/"msg":"failed"/g)?.length ?? 0;
  await expect.poll(failed).toBeGreaterThanOrEqual(2);
  expect(app.written()).toContain("is not as expected");
  await app.stop();
  const [token = ""] = people.tokens.keys();
  const others = [token, client.clientSecret, ...ada.cookies.values()];
  const find = createCanaryFinder({ ...values, ...Object.fromEntries(others.entries()) });
  expect(find(app.written())).toEqual([]);
  expect(app.written()).not.toMatch(/ghs_|PRIVATE KEY|"payload"|"authorization"/);
  const lines = app
    .written()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  expect(lines.length).toBeGreaterThan(0);
  const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
  expect(new Set(levels)).toEqual(new Set(["info", "error"]));
});
