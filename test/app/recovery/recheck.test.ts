import { expect, test } from "vitest";
import { parse } from "yaml";
import { jobId } from "../../../app/jobs/new-job.ts";
import { withSchedule } from "../../../app/repositories/refresh-repository.ts";
import { scheduleJobs } from "../../../app/schedule/schedule.ts";
import { claimRef, renderClaim } from "../../../src/github/claims/claim-note.ts";
import { Config } from "../../../src/schema/config/config.ts";
import { thorough } from "../../setup/sampled.ts";
import { self } from "../../support/app/github.ts";
import {
  appConfig,
  eventually,
  place,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun } from "../../support/app/runs.ts";

const hourMs = 3_600_000;
const known = (change: object = {}) => {
  const id = String(place.id);
  const data = { place, isPaused: false, ...change };
  return { kind: "repository" as const, id, repository: id, at: 1, data };
};
const hourly = appConfig.replace("enabled: true", "enabled: true, schedule: hourly");

thorough("a schedule is served once for each slot, also when several were missed", async () => {
  let aheadMs = 0;
  const app = await startTestApp({
    aheadMs: () => aheadMs,
    prepare: async ({ github, store }) => {
      github.files.set(".ralph/ralph.yml", hourly);
      const schedule = { every: "hourly", at: "02:00" };
      await store.notes.put(known({ schedule, scheduled_at: Date.now() - 5 * hourMs }));
    },
  });
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  await settled(app.store);
  const [first] = app.github.dispatches;
  expect(first?.inputs).toMatchObject({ command: "autopilot" });
  expect(first?.inputs["issue-number"]).toBeUndefined();
  const id = first?.inputs["run-id"] ?? "";
  app.github.runs.set(31, workflow(id));
  // The next slot comes while the first run is under way, and waits for its pull request.
  aheadMs = hourMs;
  const runs = () => app.store.notes.list({ kind: "run", limit: 9 });
  await eventually(async () => expect(await runs()).toHaveLength(2));
  await settled(app.store);
  expect((await runs()).map(({ data }) => data)).toContainEqual(
    expect.objectContaining({
      state: "waiting",
      request: expect.objectContaining({ item: "reports" }),
    }),
  );
  // A run of one item waits for the autopilot.
  aheadMs = 2 * hourMs;
  const later = (Math.floor(Date.now() / hourMs) + 2) * hourMs;
  await eventually(async () => {
    const note = await app.store.notes.get("repository", String(place.id));
    expect(note?.data).toMatchObject({ scheduled_at: later });
  });
  expect(await runs()).toHaveLength(2);
  expect(app.github.dispatches).toHaveLength(1);
});

test("any event makes an unknown repository known, with its schedule", async () => {
  const app = await startTestApp({
    prepare: ({ github }) => void github.files.set(".ralph/ralph.yml", hourly),
  });
  await app.send("issues", { action: "labeled", issue, label: { name: "bug" } });
  await eventually(async () => {
    const note = await app.store.notes.get("repository", String(place.id));
    expect(note?.data).toMatchObject({ schedule: { every: "hourly", at: "02:00" } });
  });
  await settled(app.store);
  // The schedule begins with its next slot.
  expect(app.github.dispatches).toEqual([]);
});

const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z" };

const workflow = (run: string, change: object = {}) => ({
  ...{ id: 31, run_attempt: 1, path: ".github/workflows/ralph.yml", event: "workflow_dispatch" },
  ...{ head_branch: "main", display_title: `ralph-run:${run}`, status: "in_progress" },
  ...{ html_url: "https://github.com/octo/example/actions/runs/31", actor: self },
  ...{ triggering_actor: self, ...change },
});

test("a workflow run whose events were lost is found by its title", async () => {
  const run = dispatchedRun({ state: "started" });
  await startedWith({
    prepare: ({ github }) => void github.runs.set(31, workflow(run.id)),
    runs: [run],
    becomes: { state: "working", workflow: { run: 31 } },
  });
});

test("a run whose workflow never appeared ends, and its item is released", async () => {
  const holder = { item: "issue-12", commit: "" };
  const run = dispatchedRun({ state: "started" });
  await startedWith({
    prepare: ({ github }) => {
      const { git } = github.fake.state;
      const until = new Date(Date.now() + hourMs).toISOString();
      const note = { item: "issue-12", holder: run.id, url: "u", expires_at: until };
      const message = renderClaim({ ...note, state: "held" });
      git.trees.t = true;
      git.commits["c".repeat(40)] = { message, tree: "t", parents: [] };
      git.refs[claimRef("issue-12")] = "c".repeat(40);
      holder.commit = "c".repeat(40);
    },
    runs: [{ ...run, claim: { item: "issue-12", commit: "c".repeat(40) } }],
    becomes: { state: "refused", words: expect.stringContaining("did not start the workflow") },
    after: ({ github }) => {
      const { refs, commits } = github.fake.state.git;
      const tip = refs[claimRef("issue-12")] ?? "";
      expect(commits[tip]?.message).toContain('"state":"released"');
    },
  });
});

test("a run whose workflow was deleted ends", async () => {
  const run = dispatchedRun({ state: "working", workflow: { run: 30, attempt: 1, url: "u" } });
  await startedWith({
    runs: [run],
    becomes: { state: "done", words: expect.stringContaining("was deleted") },
  });
});

test("a run that has just begun is not touched", async () => {
  const run = dispatchedRun({ state: "started", changed_at: Date.now() - 60_000 });
  await startedWith({ runs: [run], becomes: { state: "started" } });
});

test("a run whose result could not be published within two days ends", async () => {
  const workflow = { run: 30, attempt: 1, url: "u" };
  const run = dispatchedRun({
    state: "publishing",
    workflow,
    changed_at: Date.now() - 49 * hourMs,
  });
  await startedWith({
    runs: [run],
    becomes: { state: "done", words: expect.stringContaining("`resume-from: 30`") },
  });
});

test("an open run uses the installation through which its repository is reachable now", async () => {
  const old = { ...place, installation: 2 };
  const run = dispatchedRun({ state: "started", changed_at: Date.now() - 60_000, place: old });
  const after = ({ github }: Awaited<ReturnType<typeof startTestApp>>) => {
    const asked = github.server.seen.map(({ path }) => path);
    expect(asked).toContain("/api/v3/app/installations/3/access_tokens");
    expect(asked).not.toContain("/api/v3/app/installations/2/access_tokens");
  };
  await startedWith({ runs: [run], becomes: { state: "started" }, after });
});

type Look = {
  prepare?: (given: { github: Awaited<ReturnType<typeof startTestApp>>["github"] }) => void;
  runs: ReturnType<typeof dispatchedRun>[];
  becomes: object;
  after?: (app: Awaited<ReturnType<typeof startTestApp>>) => void;
};

/** Starts the App with runs whose events were lost for a while. */
async function startedWith({ prepare, runs, becomes, after }: Look): Promise<void> {
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      prepare?.({ github });
      await store.notes.put(known());
      for (const run of runs) await keep(store, run);
    },
  });
  const sweeps = { kind: "sweep", group: "clock", data: {} };
  await app.store.queue.add([{ ...sweeps, id: jobId("sweep", "of the test") }]);
  await eventually(async () => {
    for (const run of runs) expect(await readRun(app.store, run)).toMatchObject(becomes);
  });
  await settled(app.store);
  after?.(app);
}

test("a repository without the App is left alone until an event arrives from it", async () => {
  let aheadMs = 0;
  const app = await startTestApp({
    aheadMs: () => aheadMs,
    prepare: async ({ github, store }) => {
      github.files.set(".ralph/ralph.yml", hourly);
      github.facts = undefined;
      const schedule = { every: "hourly", at: "02:00" };
      await store.notes.put(known({ schedule, scheduled_at: Date.now() }));
    },
  });
  const repository = async () => (await app.store.notes.get("repository", String(place.id)))?.data;
  await eventually(async () => expect(await repository()).toMatchObject({ is_gone: true }));
  aheadMs = 2 * hourMs;
  await settled(app.store);
  expect(app.github.dispatches).toEqual([]);
  app.github.facts = { default_branch: "main", id: 7 };
  await app.send("issues", { action: "labeled", issue, label: { name: "bug" } });
  await eventually(async () => expect(await repository()).not.toHaveProperty("is_gone"));
});

const config = (autopilot: object) => ({
  kind: "valid" as const,
  config: Config.parse({ ...parse(appConfig), autopilot }),
});
const note = { place, isPaused: false };
const daily = { every: "daily", at: "02:00" } as const;

test.each([
  ["none", note, config({}), note],
  ["a new one", note, config({ schedule: "daily" }), { ...note, schedule: daily, scheduled_at: 9 }],
  [
    "the same",
    { ...note, schedule: daily, scheduled_at: 5 },
    config({ schedule: "daily" }),
    { ...note, schedule: daily, scheduled_at: 5 },
  ],
  [
    "another time",
    { ...note, schedule: daily, scheduled_at: 5 },
    config({ schedule: "daily", schedule_time: "03:00" }),
    { ...note, schedule: { ...daily, at: "03:00" }, scheduled_at: 9 },
  ],
  ["taken away", { ...note, schedule: daily, scheduled_at: 5 }, config({}), note],
  [
    "no configuration",
    { ...note, schedule: daily, scheduled_at: 5 },
    { kind: "missing" } as const,
    note,
  ],
  [
    "a broken configuration",
    { ...note, schedule: daily, scheduled_at: 5 },
    { kind: "broken", problem: "It is broken." } as const,
    { ...note, schedule: daily, scheduled_at: 5 },
  ],
])("a schedule is recorded: %s", (_, old, read, expected) => {
  expect(withSchedule(old, { state: read, now: 9 })).toEqual(expected);
});

test("a slot is one job, however often it is found", () => {
  const now = Date.parse("2026-01-20T10:00:00Z");
  const repository = { ...note, schedule: daily, scheduled_at: now - 48 * hourMs };
  const [first] = scheduleJobs([repository], now);
  expect(scheduleJobs([repository], now + hourMs)).toEqual([first]);
  expect(scheduleJobs([{ ...repository, scheduled_at: now }, note], now)).toEqual([]);
});
