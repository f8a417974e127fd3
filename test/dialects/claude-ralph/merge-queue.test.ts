import { describe, expect, test } from "vitest";
import { mergeQueue } from "../../../src/dialects/claude-ralph/merge-queue.ts";
import type {
  ClaudeRalphQueue,
  ClaudeRalphTask,
} from "../../../src/dialects/claude-ralph/schema/index.ts";

const at = "2026-01-25T14:30:52Z";
const entry: ClaudeRalphTask = {
  id: "T-001",
  description: "Do it",
  status: "pending",
  claimed_by: null,
  retries: 0,
  dependencies: [],
  created_at: at,
  claimed_at: null,
  completed_at: null,
};
const second = { ...entry, id: "T-002" };
const claimedBy = (task: ClaudeRalphTask, agent: string): ClaudeRalphTask => ({
  ...task,
  status: "claimed",
  claimed_by: agent,
  claimed_at: at,
});

const queueOf = (...tasks: ClaudeRalphTask[]) =>
  `${JSON.stringify({ tasks, created_at: at, plan_id: "p" }, null, 2)}\n`;

const before = queueOf(entry, second);
const shared = { workers: ["agent-1"], now: "2026-01-25T14:31:00Z" };

function merged(disk: string | undefined, ours: string, last: string | undefined = before) {
  const found = mergeQueue({ disk, ours, before: last, ...shared });
  const queue: ClaudeRalphQueue | undefined = found && JSON.parse(found.text);
  return { tasks: queue?.tasks, queue, theirs: found?.theirs.map(({ id }) => id) };
}

describe("the queue that other programs change under the same lock", () => {
  const ours = queueOf(claimedBy(entry, "agent-1"), second);

  test("is this session's where no one changed it", () => {
    for (const disk of [undefined, before, ours])
      expect(mergeQueue({ disk, ours, before, ...shared })).toEqual({ text: ours, theirs: [] });
  });

  test("keeps a task that another program has claimed, and names it", () => {
    const disk = queueOf(entry, claimedBy(second, "agent-9"));
    const { tasks, theirs } = merged(disk, ours);
    expect(tasks).toEqual([claimedBy(entry, "agent-1"), claimedBy(second, "agent-9")]);
    expect(theirs).toEqual(["T-002"]);
  });

  test("keeps a claim by an agent with the name of one of this session's", () => {
    const disk = queueOf(entry, claimedBy(second, "agent-1"));
    expect(merged(disk, ours).theirs).toEqual(["T-002"]);
  });

  test("gives a task that both want to the program that was first", () => {
    const disk = queueOf(claimedBy(entry, "agent-9"), second);
    expect(merged(disk, ours).tasks?.[0]?.claimed_by).toBe("agent-9");
  });

  test("keeps the claim at the end, when this session gives its own back", () => {
    const disk = queueOf(claimedBy(entry, "agent-1"), claimedBy(second, "agent-9"));
    const { tasks } = merged(disk, before, ours);
    expect(tasks).toEqual([entry, claimedBy(second, "agent-9")]);
  });

  test("shows a pass, whatever another program has made of the task", () => {
    const done = { ...claimedBy(entry, "agent-1"), status: "done", completed_at: at } as const;
    const disk = queueOf(claimedBy(entry, "agent-9"), second);
    const { tasks, theirs } = merged(disk, queueOf(done, second), ours);
    expect(tasks?.[0]).toEqual(done);
    expect(theirs).toEqual([]);
  });

  test("keeps a claim on a task that the file still offered, although it has passed here", () => {
    const done = { ...claimedBy(entry, "agent-1"), status: "done", completed_at: at } as const;
    const disk = queueOf(claimedBy(entry, "agent-9"), second);
    const { tasks, theirs } = merged(disk, queueOf(done, second), before);
    expect(tasks?.[0]).toEqual(claimedBy(entry, "agent-9"));
    expect(theirs).toEqual(["T-001"]);
  });

  test("keeps tasks and fields that another program has added", () => {
    const more = { ...entry, id: "x-1", extra: 1 };
    const text = JSON.stringify({ ...JSON.parse(queueOf(entry, second, more)), note: "theirs" });
    const { queue } = merged(text, ours);
    expect(queue?.tasks.map(({ id }) => id)).toEqual(["T-001", "T-002", "x-1"]);
    expect(queue).toMatchObject({ note: "theirs" });
  });

  test("is left alone where it is not understood", () => {
    expect(mergeQueue({ disk: "{broken", ours, before, ...shared })).toBeUndefined();
  });

  test("at the first write only claims of unknown agents count", () => {
    const killed = queueOf(claimedBy(entry, "agent-1"), second);
    expect(mergeQueue({ disk: killed, ours, before: undefined, ...shared })?.theirs).toEqual([]);
    const foreign = queueOf(claimedBy(entry, "agent-9"), second);
    const first = { disk: foreign, ours, before: undefined };
    expect(mergeQueue({ ...first, ...shared })?.theirs).toHaveLength(1);
    const late = { ...shared, now: "2026-01-25T15:31:00Z" };
    expect(mergeQueue({ ...first, ...late })?.theirs).toEqual([]);
  });
});
