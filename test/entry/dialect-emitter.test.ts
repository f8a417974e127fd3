import { expect, test } from "vitest";
import type { SessionState } from "../../src/core/state/session-state.ts";
import { chosenDialects } from "../../src/dialects/dialects.ts";
import { createEmitter } from "../../src/entry/dialect-emitter.ts";
import { writeForeign } from "../../src/entry/foreign-runs.ts";
import { RalphError } from "../../src/error.ts";
import { createFiles } from "../../src/platform/fs/files.ts";
import { claimed, given, stepsOf, worked } from "../support/builders/queue-story.ts";
import { start } from "../support/builders/session.ts";
import { createGitProject } from "../support/project/git.ts";

const queue = ".claude/ralph/task-queue-ralph-example.json";
const story = stepsOf([
  ...worked("T-001", "agent-1"),
  { type: "session_end", reason: "cancelled", message: "Interrupted." },
]);
const at = (index: number): SessionState => story.at(index) as SessionState;
const [running, ended] = [at(5), at(-1)];

type Options = { obstacle?: (isUrgent: boolean) => "held" | "failed" | undefined };

async function openEmitter({ obstacle = () => undefined }: Options = {}) {
  const project = await createGitProject();
  const files = createFiles(project.root);
  const emitter = createEmitter({
    dialects: chosenDialects(["omc", "omx", "claude-ralph"]),
    given,
    project: files,
    write: async (wanted, isUrgent) => {
      const hit = wanted.some(({ locks }) => locks.length > 0) && obstacle(isUrgent);
      if (hit === "held") return { kind: "held", lock: "the.lock" };
      if (hit === "failed")
        throw new RalphError("config", { message: "Read-only.", remedy: "Change that." });
      return writeForeign(files, wanted);
    },
    lastGood: async () => undefined,
    trackedIn: async () => [],
    changedPaths: async () => new Map([["T-001", ["src/a.ts"]]]),
    findProblems: async () => [],
  });
  const read = (path: string) => JSON.parse(project.read(path));
  return { ...project, emitter, json: read };
}

test.each(["held", "failed"] as const)(
  "a dialect that cannot be written (%s) stops no other, and is written when it can be again",
  async (how) => {
    let hit: "held" | "failed" | undefined;
    await using project = await openEmitter({ obstacle: () => hit });
    await project.emitter.update(at(0));
    hit = how;
    await project.emitter.update(running);
    expect(project.json(".omc/ralph-state.json").current_story_id).toBe("T-001");
    expect(project.json(queue).tasks[0].status).toBe("pending");
    expect(project.emitter.remarks()).toEqual([
      expect.stringContaining("The files of claude-ralph are out of date; ralph tries again"),
    ]);
    hit = undefined;
    await project.emitter.update(ended);
    expect(project.json(queue).tasks[0].status).toBe("done");
    expect(project.emitter.remarks()).toEqual([]);
  },
);

test("a task's start waits for a held lock as long as other programs do, once", async () => {
  let isHeld = false;
  const waits: boolean[] = [];
  await using project = await openEmitter({
    obstacle: (isUrgent) => {
      if (isHeld) waits.push(isUrgent);
      return isHeld ? "held" : undefined;
    },
  });
  await project.emitter.update(at(0));
  isHeld = true;
  await project.emitter.update(running);
  const later = stepsOf([
    ...worked("T-001", "agent-1"),
    claimed("T-002", "agent-1"),
    start("T-002"),
  ]);
  await project.emitter.update(later.at(-1) as SessionState);
  expect(waits).toEqual([true, false]);
});

test("files that cannot be written at the end are reported", async () => {
  let isHeld = false;
  await using project = await openEmitter({ obstacle: () => (isHeld ? "held" : undefined) });
  await project.emitter.update(running);
  isHeld = true;
  await project.emitter.update(ended);
  expect(project.json(".omc/ralph-state.json").active).toBe(false);
  expect(project.emitter.remarks()).toEqual([
    "The files of claude-ralph do not show the end of this session. Another program holds the.lock. The next `ralph run` or `ralph cancel` settles them.",
  ]);
});

test("a task that another program takes ends the session, and stays that program's", async () => {
  await using project = await openEmitter();
  await project.emitter.update(at(0));
  const found = project.json(queue);
  found.tasks[1] = {
    ...found.tasks[1],
    ...{ status: "claimed", claimed_by: "agent-9", claimed_at: found.created_at },
  };
  project.write(queue, JSON.stringify(found));
  await expect(project.emitter.update(running)).rejects.toMatchObject({
    reason: "claim",
    message: expect.stringContaining(`agent-9 of another program has taken ${found.tasks[1].id}`),
  });
  await project.emitter.update(ended);
  expect(project.json(queue).tasks[1]).toMatchObject({ status: "claimed", claimed_by: "agent-9" });
  expect(project.json(".omc/ralph-state.json").active).toBe(false);
});

test("an agent's file names its changes and its commits", async () => {
  await using project = await openEmitter();
  await project.emitter.update(
    stepsOf([claimed("T-001", "agent-1"), ...worked("T-001", "agent-1").slice(1, 4)]).at(
      -1,
    ) as SessionState,
  );
  const { context } = project.json(".claude/ralph/agent-state-agent-1.json");
  expect(context).toMatchObject({ files_modified: ["src/a.ts"], commits_made: [] });
  await project.emitter.update(at(-2));
  const later = project.json(".claude/ralph/agent-state-agent-1.json");
  expect(later.context.commits_made).toEqual(["c-T-001"]);
});

test("content of another program is kept aside before it is replaced", async () => {
  await using project = await openEmitter();
  const theirs = `${JSON.stringify({ active: false, prompt: "theirs" })}\n`;
  project.write(".omc/ralph-state.json", theirs);
  await project.emitter.update(at(0));
  const copy = ".omc/kept/20260125-143052-a7b3c9/ralph-state.json";
  expect(project.read(copy)).toBe(theirs);
  expect(project.emitter.remarks()).toEqual([
    `The earlier .omc/ralph-state.json is kept as ${copy}.`,
  ]);
});
