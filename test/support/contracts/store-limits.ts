import { expect, test } from "vitest";
import type { Store } from "../../../app/store/notes.ts";
import { deadKept, type Queue, type TakenJob } from "../../../app/store/queue.ts";
import { job, type StoreHost, takeOne } from "./store.ts";

const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Works until all of some jobs are done; answers how often two of a group were in hand at a time. */
async function countOverlaps(stores: readonly Store[], total: number): Promise<number> {
  const inHand = new Set<string>();
  let [overlaps, done] = [0, 0];
  const workOn = async (queue: Queue, taken: TakenJob) => {
    if (inHand.has(taken.group)) overlaps += 1;
    inHand.add(taken.group);
    await pause();
    inHand.delete(taken.group);
    if (await queue.finish(taken)) done += 1;
  };
  const work = async (queue: Queue) => {
    while (done < total) {
      const taken = await queue.take();
      if (taken) await workOn(queue, taken);
      else await pause();
    }
  };
  await Promise.all(stores.flatMap(({ queue }) => [work(queue), work(queue), work(queue)]));
  return overlaps;
}

async function bury(queue: Queue): Promise<void> {
  await queue.deadLetter(await takeOne(queue), "makes no sense");
}

/** What every engine must do with several owners, after long, and with very much. */
export function describeStoreLimits(makeHost: () => Promise<StoreHost>): void {
  test("a job that is put back is taken again as if nothing had happened, and not before its time", async () => {
    await using store = await (await makeHost()).open();
    const { queue } = store;
    const given = job("octo/one", "x");
    await queue.add([given]);
    const first = await takeOne(queue);
    expect(await queue.putBack(first, Date.now() - 1000)).toBe(true);
    const second = await takeOne(queue);
    expect(second).toMatchObject({ ...given, attempt: 1 });
    expect(await queue.putBack(second, Date.now() + 600_000)).toBe(true);
    expect(await queue.take()).toBeUndefined();
    expect(await queue.finish(second)).toBe(false);
    expect(await queue.counts()).toMatchObject({ ready: 1, active: 0 });
  });

  test("one job of a group at a time, also with two owners that take several at once", async () => {
    const host = await makeHost();
    await using one = await host.open();
    await using two = await host.open();
    await one.queue.add(Array.from({ length: 60 }, (_, index) => job(`octo/r${index % 3}`)));
    expect(await countOverlaps([one, two], 60)).toBe(0);
    expect(await one.queue.counts()).toEqual({ ready: 0, active: 0, dead: 0, done: 60 });
  });

  test("a dead job is kept for weeks and can be revived, and is forgotten after a month", async () => {
    const host = await makeHost();
    await using first = await host.open();
    const [done, dead, gone] = [job("octo/done"), job("octo/dead"), job("octo/gone")];
    await first.queue.add([done]);
    await first.queue.finish(await takeOne(first.queue));
    for (const each of [dead, gone]) {
      await first.queue.add([each]);
      await bury(first.queue);
    }
    await host.passDays(20);
    await using second = await host.open();
    await second.queue.add([job("octo/new")]);
    expect(await second.queue.counts()).toEqual({ ready: 1, active: 0, dead: 2, done: 0 });
    // Whoever revives it has it tried again, however long that takes.
    await second.queue.requeue(dead.id);
    await host.passDays(15);
    await using third = await host.open();
    expect(await third.queue.add([job("octo/new"), gone])).toBe(2);
    expect(await third.queue.counts()).toEqual({ ready: 4, active: 0, dead: 0, done: 0 });
  });

  test("of very many dead jobs the latest are kept", async () => {
    const host = await makeHost();
    await using first = await host.open();
    const many = Array.from({ length: deadKept + 3 }, () => job("octo/one"));
    await host.leaveDead(many);
    expect(await first.queue.counts()).toMatchObject({ dead: deadKept + 3 });
    await using second = await host.open();
    await second.queue.add([job("octo/new")]);
    expect(await second.queue.counts()).toMatchObject({ dead: deadKept });
    const oldest = { state: "dead", groups: ["octo/one"], limit: 1 } as const;
    for (const { id } of many.slice(0, 3)) {
      expect(await second.queue.list({ ...oldest, id })).toEqual([]);
    }
  });

  test("runs are found by how they stand", async () => {
    await using store = await (await makeHost()).open();
    const { notes } = store;
    const pull = { number: 1 };
    const all: Record<string, object> = {
      waiting: { state: "waiting" },
      done: { state: "done" },
      pull: { state: "done", pull },
      merged: { state: "done", pull, outcome: "merged" },
      working: { state: "working", pull },
    };
    for (const [at, [id, data]] of Object.entries(all).entries()) {
      await notes.put({ kind: "run", id, repository: "octo/one", at, data });
    }
    const ids = async (...statuses: string[]) =>
      (await notes.list({ kind: "run", statuses, limit: 9 })).map(({ id }) => id);
    for (const id of Object.keys(all)) expect(await ids(id)).toEqual([id]);
    expect(await ids("waiting", "merged", "refused")).toEqual(["merged", "waiting"]);
    expect(await ids()).toEqual([]);
  });
}
