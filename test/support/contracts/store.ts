import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Note, NotesQuery, Store } from "../../../app/store/notes.ts";
import {
  type JobQuery,
  type ListedJob,
  type Queue,
  retryPolicy,
  type StoredJob,
  type TakenJob,
} from "../../../app/store/queue.ts";
import { listDead } from "../app/dead-jobs.ts";

/** A store of its own for each test, opened again as often as a test likes, and a way to let time pass for it. */
export interface StoreHost {
  open: () => Promise<Store>;
  /** Makes jobs that wait for their next attempt ready now. */
  skipPauses: () => Promise<void>;
  /** Makes every lease run out, as after a crash of its owner. */
  loseLeases: () => Promise<void>;
  /** Makes whatever is over older. */
  passDays: (days: number) => Promise<void>;
  /** Puts dead jobs there, oldest first. */
  leaveDead: (jobs: readonly StoredJob[]) => Promise<void>;
}

export const job = (
  group: string,
  data: unknown = null,
  more: Partial<StoredJob> = {},
): StoredJob => ({
  id: randomUUID(),
  kind: "test",
  group,
  data,
  ...more,
});

export async function takeOne(queue: Queue): Promise<TakenJob> {
  const taken = await queue.take();
  if (!taken) throw new Error("There is no job to take.");
  return taken;
}

async function takeAll(queue: Queue): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let taken = await queue.take(); taken; taken = await queue.take()) {
    seen.push(taken.data);
    await queue.finish(taken);
  }
  return seen;
}

/** What every engine must do. */
export function describeStore(makeHost: () => Promise<StoreHost>): void {
  test("a job comes back with all that was given, and is done once", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    const given = job("octo/one", { text: 'ä \u0001 "x"', list: [1, null] });
    expect(await queue.add([given])).toBe(1);
    const taken = await takeOne(queue);
    expect(taken).toMatchObject({ ...given, attempt: 1 });
    expect(await queue.finish(taken)).toBe(true);
    expect(await queue.take()).toBeUndefined();
    expect(await queue.counts()).toEqual({ ready: 0, active: 0, dead: 0, done: 1 });
  });

  test("an id that is known is not added again, also when its job is done", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    const given = job("octo/one");
    expect(await queue.add([given, given])).toBe(1);
    expect(await queue.add([given, job("octo/one")])).toBe(1);
    await takeAll(queue);
    expect(await queue.add([given])).toBe(0);
    expect(await queue.take()).toBeUndefined();
  });

  test("what was added is there after the queue is opened again", async () => {
    const host = await makeHost();
    const first = await host.open();
    await first.queue.add([job("octo/one", 1), job("octo/two", 2)]);
    await first[Symbol.asyncDispose]();
    await using second = await host.open();
    expect(await takeAll(second.queue)).toEqual([1, 2]);
  });

  test("one job of a group at a time", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    await queue.add([job("octo/one", 1), job("octo/one", 2), job("octo/two", 3)]);
    const first = await takeOne(queue);
    expect((await takeOne(queue)).data).toBe(3);
    expect(await queue.take()).toBeUndefined();
    await queue.finish(first);
    expect((await takeOne(queue)).data).toBe(2);
  });

  test("groups take turns, however many jobs one of them has", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    await queue.add(Array.from({ length: 6 }, (_, index) => job("octo/busy", `busy ${index}`)));
    await takeOne(queue).then((taken) => queue.finish(taken));
    await queue.add([job("octo/new", "new 0"), job("octo/new", "new 1")]);
    const order = (await takeAll(queue)) as string[];
    expect(order.indexOf("new 0")).toBeLessThanOrEqual(1);
    expect(order.indexOf("new 1")).toBeLessThanOrEqual(3);
  });

  test("a job for later waits, and does not hold up its group", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    const startAt = Date.now() + 3_600_000;
    await queue.add([job("octo/one", "later", { startAt }), job("octo/one", "now")]);
    expect(await takeAll(queue)).toEqual(["now"]);
  });

  test("a failed job is tried again after a pause, then dead, and can be revived", async () => {
    const host = await makeHost();
    await using store = await host.open();
    const { queue } = store;
    await queue.add([job("octo/one", "bad")]);
    for (let attempt = 1; attempt <= retryPolicy.attempts; attempt += 1) {
      const taken = await takeOne(queue);
      expect(taken.attempt).toBe(attempt);
      expect(await queue.fail(taken, `no ${attempt}`)).toBe(true);
      expect(await queue.take()).toBeUndefined();
      await host.skipPauses();
    }
    const [dead, ...others] = await listDead(queue, "octo/one");
    expect(others).toEqual([]);
    expect(dead).toMatchObject({ group: "octo/one", kind: "test" });
    expect(dead?.error).toBe(`no ${retryPolicy.attempts}`);
    expect(await queue.requeue(dead?.id ?? "")).toBe(true);
    expect(await listDead(queue, "octo/one")).toEqual([]);
    await host.skipPauses();
    expect((await takeOne(queue)).data).toBe("bad");
  });

  test("a buried job is dead at once", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    await queue.add([job("octo/one")]);
    const taken = await takeOne(queue);
    expect(await queue.deadLetter(taken, "makes no sense")).toBe(true);
    expect(await listDead(queue, "octo/one")).toMatchObject([
      { id: taken.id, error: "makes no sense" },
    ]);
    expect(await queue.finish(taken)).toBe(false);
  });

  test("a job whose owner died is taken by another, and the first one can no longer end it", async () => {
    const host = await makeHost();
    await using store = await host.open();
    const { queue } = store;
    await queue.add([job("octo/one", "kept")]);
    const lost = await takeOne(queue);
    await host.loseLeases();
    await host.skipPauses();
    const taken = await takeOne(queue);
    expect(taken).toMatchObject({ id: lost.id, attempt: 2, data: "kept" });
    expect(await queue.extend(lost)).toBe(false);
    expect(await queue.finish(lost)).toBe(false);
    expect(await queue.fail(lost, "late")).toBe(false);
    expect(await queue.extend(taken)).toBe(true);
    expect(await queue.finish(taken)).toBe(true);
  });

  test("a job that kills its owner every time is dead in the end", async () => {
    const host = await makeHost();
    await using store = await host.open();
    const { queue } = store;
    await queue.add([job("octo/one")]);
    for (let attempt = 1; attempt <= retryPolicy.attempts; attempt += 1) {
      await takeOne(queue);
      await host.loseLeases();
      await host.skipPauses();
    }
    expect(await queue.take()).toBeUndefined();
    expect(await listDead(queue, "octo/one")).toMatchObject([
      { error: expect.stringMatching(/died|timeout/) },
    ]);
  });

  test("two owners never have the same job", async () => {
    const host = await makeHost();
    await using one = await host.open();
    await using two = await host.open();
    await one.queue.add(Array.from({ length: 40 }, (_, index) => job(`octo/r${index % 7}`, index)));
    const seen: unknown[] = [];
    const work = async (queue: Queue) => {
      for (let idle = 0; idle < 3; ) {
        const taken = await queue.take();
        if (!taken) idle += 1;
        else {
          seen.push(taken.data);
          expect(await queue.finish(taken)).toBe(true);
        }
      }
    };
    await Promise.all([one, two, one, two].map(({ queue }) => work(queue)));
    seen.push(...(await takeAll(one.queue)));
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
  });

  test("a note is written, read and replaced, and the newest come first", async () => {
    const host = await makeHost();
    await using store = await host.open();
    const note = (id: string, at: number, repository: string): Note => ({
      ...{ kind: "run", id, at, repository },
      data: { text: `ä "${id}"`, list: [null, 1.5] },
    });
    for (const [id, at, repository] of [
      ["a", 1, "octo/one"],
      ["b", 3, "octo/two"],
      ["c", 2, "octo/one"],
    ] as const)
      await store.notes.put(note(id, at, repository));
    expect(await store.notes.get("run", "a")).toEqual(note("a", 1, "octo/one"));
    expect(await store.notes.get("repository", "a")).toBeUndefined();
    await store.notes.put({ ...note("a", 4, "octo/one"), data: "new" });
    const ids = async (wanted: Omit<NotesQuery, "kind">) =>
      (await store.notes.list({ kind: "run", ...wanted })).map(({ id }) => id);
    expect(await ids({ limit: 10 })).toEqual(["a", "b", "c"]);
    expect(await ids({ limit: 10, repositories: ["octo/one"] })).toEqual(["a", "c"]);
    expect(await ids({ limit: 10, repositories: [] })).toEqual([]);
    expect(await ids({ limit: 10, since: 3 })).toEqual(["a", "b"]);
    expect(await ids({ limit: 1 })).toEqual(["a"]);
  });

  test("notes are read page by page, also where some are of the same moment", async () => {
    await using store = await (await makeHost()).open();
    const { notes } = store;
    const put = (id: string, at: number) =>
      notes.put({ kind: "run", id, at, repository: "octo/one", data: id });
    for (const [id, at] of [
      ["a", 5],
      ["b", 7],
      ["c", 5],
      ["d", 5],
      ["e", 1],
    ] as const)
      await put(id, at);
    const read: string[] = [];
    for (let before: Note | undefined; read.length < 9; ) {
      const page = await notes.list({ kind: "run", limit: 2, ...(before && { before }) });
      read.push(...page.map(({ id }) => id));
      before = page.at(-1);
      if (!before) break;
      // What is new meanwhile belongs to a page that was read already.
      await put(`new ${read.length}`, 9);
    }
    expect(read).toEqual(["b", "d", "c", "a", "e"]);
  });

  test("notes are forgotten one by one, or by their age", async () => {
    await using store = await (await makeHost()).open();
    const { notes } = store;
    for (const [at, id] of ["old", "new", "gone"].entries())
      await notes.put({ kind: "session", id, at, repository: "", data: null });
    await notes.put({ kind: "run", id: "run", at: 0, repository: "octo/one", data: null });
    await notes.remove("session", "gone");
    await notes.prune("session", 1);
    expect((await notes.list({ kind: "session", limit: 9 })).map(({ id }) => id)).toEqual(["new"]);
    expect(await notes.get("run", "run")).toBeDefined();
  });

  test("jobs of some groups can be looked at, and none of the others", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    const [dead, active, ready] = ["one", "two", "three"].map((name) => job(`octo/${name}`, name));
    if (!dead || !active || !ready) throw new Error("There are three.");
    await queue.add([dead]);
    await queue.deadLetter(await takeOne(queue), "it is <broken>");
    await queue.add([active]);
    await takeOne(queue);
    await queue.add([ready]);
    const groups = ["octo/one", "octo/two", "octo/three"];
    const seen = (state: ListedJob["state"], some: Partial<JobQuery> = {}) =>
      queue.list({ state, groups, limit: 9, ...some });
    expect(await seen("dead")).toEqual([
      {
        ...{ id: dead.id, kind: "test", group: "octo/one", state: "dead", attempt: 1 },
        ...{ error: "it is <broken>", at: expect.any(Number) },
      },
    ]);
    expect(await seen("active")).toMatchObject([{ id: active.id, attempt: 1, error: null }]);
    expect(await seen("ready")).toMatchObject([{ id: ready.id, attempt: 0, error: null }]);
    expect(await seen("dead", { groups: ["octo/two"] })).toEqual([]);
    expect(await seen("dead", { groups: [] })).toEqual([]);
    expect(await seen("dead", { id: dead.id })).toHaveLength(1);
    expect(await seen("dead", { id: active.id })).toEqual([]);
    await queue.requeue(dead.id);
    expect(await seen("dead")).toEqual([]);
    expect(await seen("ready", { limit: 1 })).toHaveLength(1);
  });
}
