import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { handleTicks } from "../../../app/dashboard/handle-ticks.ts";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import type { RunParts } from "../../../app/runs/run-parts.ts";
import { openStore } from "../../../app/store/open-store.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { Config } from "../../../src/schema/config/config.ts";
import type { Actor } from "../../../src/schema/work-request.ts";
import { type AppGitHub, self, startAppGitHub } from "../../support/app/github.ts";
import { serveIssues } from "../../support/app/issues.ts";
import { ada, appConfig, place } from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun, reportsRequest } from "../../support/app/runs.ts";
import { createTestSystem } from "../../support/project/system.ts";

const workflow = { run: 31, attempt: 1, url: "u" };
const pull = { number: 1, url: "u" };
const report = dispatchedRun({ request: reportsRequest(), workflow, pull });

/** A repository with one run, and a dashboard in which its box is ticked. */
async function prepare(run: DispatchedRun, mark: string) {
  const system = await createTestSystem();
  const github = await startAppGitHub();
  const where = { databaseUrl: undefined, dataFolder: `${system.root}/data` };
  const store = await openStore(system, where, () => undefined);
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });
  const permission = { permission: "write", role_name: "write", user: { type: "User", id: 5 } };
  github.fake.state.permissions.ada = permission;
  const body = `<!-- ralph:dashboard -->\n- [x] <!-- ralph:box:${mark} --> it\n`;
  serveIssues(github).push({ number: 500, title: "d", body, state: "open", user: { ...self } });
  await keep(store, run);
  const parts = partsFor(github, { notes: store.notes, clock: system.clock });
  const tick = (actor: Actor | null = ada, id = jobIdOfTick) =>
    handleTicks(parts, {
      id,
      data: { place, issue: 500, boxes: [mark], actor: actor ?? undefined },
    });
  return { github, store, tick };
}

const jobIdOfTick = randomUUID();

const unasked = () => Promise.reject(new Error("not asked for"));

function partsFor(github: AppGitHub, rest: Pick<RunParts, "notes" | "clock">): RunParts {
  const { apiUrl } = github.server;
  const token = "ghs_x";
  return {
    ...rest,
    bots: [],
    record: () => undefined,
    url: "https://ralph.example",
    access: {
      self: async () => self,
      github: async ({ repository }) => createGitHub({ apiUrl, token, repository }),
      freshToken: async () => token,
      limits: new Map(),
      locate: unasked,
      identify: unasked,
      asApp: unasked,
      organization: async () => undefined,
      config: async () => Config.parse(parse(appConfig)),
    },
  };
}

const effects: [string, string, DispatchedRun, string[], object][] = [
  ["a plan goes on", "approve", report, ["continue", "show"], { state: "publishing" }],
  ["a failed run starts over", "retry", dispatchedRun(), ["show"], { state: "done" }],
  [
    "a run that waits is dropped",
    "skip",
    dispatchedRun({ state: "waiting" }),
    ["show"],
    { state: "refused" },
  ],
];

test.each(effects)("%s, however often the job runs", async (_, verb, run, kinds, change) => {
  const { github, store, tick } = await prepare(run, `${verb}:${run.id}`);
  const first = await tick();
  const again = await tick();
  expect(first.map(({ kind }) => kind)).toEqual(kinds);
  expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  expect(await readRun(store, run)).toMatchObject(change);
  expect(github.dispatches).toHaveLength(verb === "retry" ? 1 : 0);
});

test("a run that waits for the agent's usage limit is stopped", async () => {
  const waits_until = Date.now() + 3_600_000;
  const run = dispatchedRun({ state: "publishing", workflow, waits_until });
  const { github, store, tick } = await prepare(run, `cancel:${run.id}`);
  expect((await tick()).map(({ kind }) => kind)).toEqual(["show"]);
  expect(await readRun(store, run)).toMatchObject({ state: "done" });
  expect(github.cancelled).toEqual([]);
});

test("ticking a failed plan once more adds another job that continues it", async () => {
  const { store, tick } = await prepare(report, `approve:${report.id}`);
  const [first] = await tick(ada, randomUUID());
  await keep(store, report);
  const [second] = await tick(ada, randomUUID());
  expect([first?.kind, second?.kind]).toEqual(["continue", "continue"]);
  expect(second?.id).not.toBe(first?.id);
});

const moved: [string, DispatchedRun][] = [
  [
    "approve",
    dispatchedRun({ request: reportsRequest(), workflow, pull, tasks: { passed: 1, total: 2 } }),
  ],
  ["approve", { ...report, outcome: "rejected" }],
  ["approve", { ...report, state: "started" }],
  ["retry", dispatchedRun({ state: "working", workflow })],
  ["retry", dispatchedRun({ pull, tasks: { passed: 2, total: 2 } })],
  ["retry", dispatchedRun({ pull, outcome: "merged" })],
  ["cancel", dispatchedRun({ workflow })],
  ["cancel", dispatchedRun({ state: "waiting" })],
  ["skip", dispatchedRun({ state: "working", workflow })],
  ["unignore", dispatchedRun({ pull, outcome: "merged" })],
  ["retry", dispatchedRun({ place: { installation: 4, id: 8, repository: "octo/other" } })],
];

test.each(moved)("the box %s changes nothing when the run has moved on", async (verb, run) => {
  const { github, store, tick } = await prepare(run, `${verb}:${run.id}`);
  expect((await tick()).map(({ kind }) => kind)).toEqual(["show"]);
  expect(await readRun(store, run)).toEqual(run);
  expect(github.dispatches).toEqual([]);
  expect(github.cancelled).toEqual([]);
});

test("a tick without an account is cleared, and a tick that was taken back does nothing", async () => {
  const run = dispatchedRun({ state: "waiting" });
  const unsigned = await prepare(run, `skip:${run.id}`);
  expect(await unsigned.tick(null)).toMatchObject([
    { kind: "show", data: { cleared: [`skip:${run.id}`] } },
  ]);
  expect(await readRun(unsigned.store, run)).toEqual(run);
  const gone = await prepare(run, `skip:${run.id}`);
  serveIssues(gone.github).push({
    ...{ number: 500, title: "d", body: "<!-- ralph:dashboard -->\n", state: "open" },
    user: { ...self },
  });
  expect(await gone.tick()).toEqual([]);
});

test("another account's issue with the App's marker is not a dashboard", async () => {
  const run = dispatchedRun({ state: "waiting" });
  const { github, store, tick } = await prepare(run, `skip:${run.id}`);
  serveIssues(github).push({
    ...{ number: 500, title: "d", state: "open", user: { ...ada } },
    body: `<!-- ralph:dashboard -->\n- [x] <!-- ralph:box:skip:${run.id} --> it\n`,
  });
  expect(await tick()).toEqual([]);
  expect(await readRun(store, run)).toEqual(run);
});
