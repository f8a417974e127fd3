import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { SessionState } from "../../src/core/state/session-state.ts";
import type { DialectName } from "../../src/dialects/dialect.ts";
import { chosenDialects, dialects } from "../../src/dialects/dialects.ts";
import { createEmitter } from "../../src/entry/dialect-emitter.ts";
import { writeForeign } from "../../src/entry/foreign-runs.ts";
import { settleSessions } from "../../src/entry/settle-sessions.ts";
import { createFiles } from "../../src/platform/fs/files.ts";
import { called, claimed, given, stepsOf, worked } from "../support/builders/queue-story.ts";
import { start } from "../support/builders/session.ts";
import { createGitProject } from "../support/project/git.ts";
import { hasProgram } from "../support/project/programs.ts";

const queue = ".claude/ralph/task-queue-ralph-example.json";
const all: readonly DialectName[] = ["omx", "omc", "claude-ralph", "agent-teams"];
const story = stepsOf([
  ...worked("T-001", "agent-1"),
  { type: "session_end", reason: "cancelled", message: "Interrupted." },
]);
const killed = stepsOf([
  claimed("T-001", "agent-1"),
  start("T-001"),
  called("T-001", "implementation"),
]);

/** A project and the writing of a session's files, as the real one does it, with brief waits for locks. */
async function openPlace(emit: readonly DialectName[] = all) {
  const project = await createGitProject();
  const files = createFiles(project.root);
  const emitter = createEmitter({
    dialects: chosenDialects(emit),
    given,
    project: files,
    write: (wanted) => writeForeign(files, wanted, 300),
    lastGood: async () => undefined,
    trackedIn: async () => [],
    changedPaths: async () => new Map(),
    findProblems: async () => [],
  });
  const json = (path: string) => JSON.parse(project.read(path));
  const settle = (now: string) =>
    settleSessions(
      { files: createFiles, clock: { ...project.system.clock, now: () => Date.parse(now) } },
      project,
    );
  return { ...project, emitter, json, settle };
}

const activeIn = (root: string, now: string) => {
  const files = createFiles(root);
  return Promise.all(
    dialects.map(async ({ folders, owns, read }) => {
      const tree = new Map<string, string>();
      for (const folder of folders.filter((each) => each !== ""))
        for (const path of await listAll(files, folder))
          if (owns(path)) tree.set(path, readFileSync(`${root}/${path}`, "utf8"));
      return read(tree, now).filter(({ isActive }) => isActive);
    }),
  );
};

async function listAll(files: ReturnType<typeof createFiles>, folder: string): Promise<string[]> {
  const names = (await files.stat(folder)) ? await files.list(folder) : [];
  const found = names.map(async (name) => {
    const path = `${folder}/${name}`;
    return (await files.stat(path))?.kind === "folder" ? listAll(files, path) : [path];
  });
  return (await Promise.all(found)).flat();
}

test.skipIf(!hasProgram("flock"))(
  "a stopped process that holds a lock costs a remark; its release lets the files catch up",
  async () => {
    await using place = await openPlace();
    await place.emitter.update(story[0] as SessionState);
    const lock = `${place.root}/.claude/ralph/task-queue.lock`;
    const holder = spawn("flock", [lock, "sh", "-c", "echo; exec sleep 60"], { detached: true });
    await once(holder.stdout, "data");
    process.kill(-(holder.pid ?? 0), "SIGSTOP");
    await place.emitter.update(story.at(-2) as SessionState);
    await place.emitter.update(story.at(-1) as SessionState);
    expect(place.emitter.remarks().join("\n")).toContain("Another program holds");
    expect(place.json(".omc/ralph-state.json").active).toBe(false);
    expect(place.json(queue).tasks[0].status).not.toBe("done");
    process.kill(-(holder.pid ?? 0), "SIGKILL");
    await once(holder, "exit");
    await place.emitter.update(story.at(-1) as SessionState);
    expect(place.json(queue).tasks[0].status).toBe("done");
  },
);

describe("after a kill whose machine no longer exists", () => {
  test.each([
    ["at the same time", "2026-01-25T14:31:00.000Z"],
    ["with a clock an hour ahead", "2026-01-25T15:31:00.000Z"],
    ["with a clock an hour behind", "2026-01-25T13:31:00.000Z"],
  ])("another one settles every file, %s", async (_, now) => {
    await using place = await openPlace();
    for (const state of killed) await place.emitter.update(state);
    expect((await place.settle(now)).remarks).toEqual([]);
    expect((await activeIn(place.root, now)).flat()).toEqual([]);
    const { paths } = await place.settle(now);
    expect(paths).toEqual([]);
  });
});

test("no time goes back when a resumption ends before its first update", async () => {
  await using place = await openPlace();
  for (const state of killed) await place.emitter.update(state);
  const work = [
    claimed("T-001", "agent-1"),
    start("T-001"),
    called("T-001", "implementation"),
  ] as const;
  const ended = stepsOf([
    ...work,
    { type: "session_resume", sandbox: "off" },
    ...work,
    { type: "session_end", reason: "cancelled", message: "Interrupted." },
  ]).at(-1) as SessionState;
  const later = Date.parse(ended.ts) + 60_000;
  const system = { files: createFiles, clock: { ...place.system.clock, now: () => later } };
  await settleSessions(system, place, { state: ended, emit: all });
  const agent = ".claude/ralph/agent-state-agent-1.json";
  const between = place.json(agent).last_checkpoint;
  await place.emitter.update(ended);
  expect(place.json(agent).last_checkpoint >= between).toBe(true);
});

test("a session that writes for fewer tools leaves no active file of the one before", async () => {
  await using place = await openPlace();
  for (const state of killed) await place.emitter.update(state);
  const now = "2026-01-25T14:31:00.000Z";
  const system = {
    files: createFiles,
    clock: { ...place.system.clock, now: () => Date.parse(now) },
  };
  const resumed = { state: killed.at(-1) as SessionState, emit: ["omc"] as const };
  await settleSessions(system, place, resumed);
  expect((await activeIn(place.root, now)).flat()).toEqual([]);
  expect(existsSync(`${place.root}/${queue}`)).toBe(false);
});

test("a foreign file that is replaced between two writes is merged or rewritten, never half of each", async () => {
  await using place = await openPlace();
  await place.emitter.update(story[0] as SessionState);
  const theirs = { ...place.json(queue), note: "theirs" };
  place.write(queue, JSON.stringify(theirs));
  rmSync(`${place.root}/.omc`, { recursive: true });
  await place.emitter.update(story.at(-1) as SessionState);
  expect(place.json(queue)).toMatchObject({ note: "theirs", tasks: [{ status: "done" }, {}, {}] });
  expect(place.json(".omc/ralph-state.json").active).toBe(false);
});
