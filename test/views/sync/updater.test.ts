import { expect, test } from "vitest";
import type { Fact, RunEvent } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import type { Files } from "../../../src/platform/system.ts";
import { createUpdater } from "../../../src/views/sync/updater.ts";
import { createViews } from "../../../src/views/views.ts";
import { passing, start, task } from "../../support/builders/session.ts";
import { createTestFolder } from "../../support/project/system.ts";
import { everyFact } from "../session-files/every-fact.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";

const tasks = [task("T-001"), task("T-002"), task("T-003")];
const list = JSON.stringify({ tasks: tasks.map(({ id, passes }) => ({ id, passes })) });

/** A project and its session directory, with an updater that records what it writes. */
async function createProject() {
  const folder = await createTestFolder();
  const [session, project] = ["s", "p"].map((name) => createFiles(`${folder.path}/${name}`));
  if (!session || !project) throw new Error("unreachable");
  const writes: string[] = [];
  const recorded = (files: Files): Files => ({
    ...files,
    write: (path, content) => {
      writes.push(path);
      return files.write(path, content);
    },
  });
  await project.write(".ralph/prd.json", list);
  const open = () =>
    createUpdater({
      views: createViews({ progress: ".ralph/progress.txt", learnings: "write" }),
      session: recorded(session),
      project: recorded(project),
      readEvidence: async () => "output",
      given: { token: "ralph-20260125-143052-a7b3c9f2d1e8" },
    });
  const dispose = () => folder[Symbol.asyncDispose]();
  return { session, project, writes, open, [Symbol.asyncDispose]: dispose };
}

const read = async (files: Files, path: string) => (await files.read(path))?.toString("utf8");

type Told = { event: RunEvent; state: SessionState };
const upTo = (facts: readonly Fact[]): { state: SessionState; events: RunEvent[] } => {
  const told: Told[] = realisticEvents(tasks, facts);
  const last = told.at(-1);
  if (!last) throw new Error("unreachable");
  return { state: last.state, events: told.map(({ event }) => event) };
};

test("an update writes every file of the session and the documents of the project", async () => {
  await using it = await createProject();
  const { state, events } = upTo(passing("T-001"));
  await it.open().update(state, events);
  expect(await it.session.list(".")).toEqual([
    "logs",
    "session.json",
    "task-status.json",
    "task-status.sha256",
  ]);
  expect(await read(it.project, ".ralph/prd.json")).toContain('"id":"T-001","passes":true');
  expect(await read(it.project, ".ralph/progress.txt")).toContain("] - T-001: ");
});

test("updating twice writes nothing the second time", async () => {
  await using it = await createProject();
  const { state, events } = upTo(passing("T-001"));
  const updater = it.open();
  await updater.update(state, events);
  it.writes.length = 0;
  const before = await read(it.session, "logs/timeline.jsonl");
  await updater.update(state, events);
  expect(it.writes).toEqual([]);
  expect(await read(it.session, "logs/timeline.jsonl")).toBe(before);
});

test("a replayed session has the same files as one updated step by step", async () => {
  await using stepwise = await createProject();
  await using replayed = await createProject();
  const { state, events } = upTo(everyFact);
  const [first, second] = [stepwise.open(), replayed.open()];
  for (const { event, state: then } of realisticEvents(tasks, everyFact)) {
    await first.update(then, [event]);
  }
  for (const event of events) await second.replay(event);
  await second.update(state, []);
  const logs = await stepwise.session.list("logs");
  expect(await replayed.session.list("logs")).toEqual(logs);
  for (const path of [...logs.map((name) => `logs/${name}`), "task-status.json", "session.json"]) {
    expect(await read(replayed.session, path), path).toBe(await read(stepwise.session, path));
  }
});

test("a session that is opened again rewrites its growing files", async () => {
  await using it = await createProject();
  const { state, events } = upTo(passing("T-001"));
  await it.open().update(state, events);
  const before = await read(it.session, "logs/timeline.jsonl");
  await it.session.write("logs/timeline.jsonl", `${before}torn {`);
  const again = it.open();
  for (const event of events) await again.replay(event);
  await again.update(state, []);
  expect(await read(it.session, "logs/timeline.jsonl")).toBe(before);
});

test("a missing view is rendered again and is not tampering", async () => {
  await using it = await createProject();
  const { state, events } = upTo([start("T-001")]);
  const updater = it.open();
  await updater.update(state, events);
  const before = await read(it.session, "task-status.json");
  await it.session.remove("task-status.json");
  expect(await updater.tampered()).toEqual([]);
  await updater.update(state, []);
  expect(await read(it.session, "task-status.json")).toBe(before);
});

test("a status file that is not ours is reported once and restored, even with a fitting checksum", async () => {
  await using it = await createProject();
  const { state, events } = upTo([start("T-001")]);
  const updater = it.open();
  await updater.update(state, events);
  const before = await read(it.session, "task-status.json");
  await it.session.write("task-status.json", (before ?? "").replace("false", "true"));
  expect((await updater.tampered()).map(({ path }) => path)).toEqual(["task-status.json"]);
  await updater.update(state, []);
  expect(await read(it.session, "task-status.json")).toBe(before);
  expect(await updater.tampered()).toEqual([]);
});

test("documents are only touched when a task has passed", async () => {
  await using it = await createProject();
  const updater = it.open();
  const { state, events } = upTo([start("T-001")]);
  await updater.update(state, events);
  await it.project.write(".ralph/prd.json", "changed by a person");
  it.writes.length = 0;
  const later = upTo([start("T-001"), { type: "warning", message: "still working" }]);
  await updater.update(later.state, later.events);
  expect(it.writes).not.toContain(".ralph/prd.json");
  expect(await read(it.project, ".ralph/prd.json")).toBe("changed by a person");
});
