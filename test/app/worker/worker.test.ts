import { expect, onTestFinished, test } from "vitest";
import { PermanentJobError } from "../../../app/jobs/job.ts";
import { openSqliteStore } from "../../../app/store/sqlite-store.ts";
import { type HandleJob, startWorker, type Worker } from "../../../app/worker/worker.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { createRedactor } from "../../../src/platform/secrets/redact.ts";
import { isMeasured } from "../../setup/sampled.ts";
import { listDead } from "../../support/app/dead-jobs.ts";
import { usualLimits } from "../../support/app/settings.ts";
import { job } from "../../support/contracts/store.ts";
import { createTestFolder } from "../../support/project/system.ts";

const system = createSystem();
const secret = "0c7b2f9e5d1a4836";

/** A worker on its own store, with one handler. */
async function workingOn(handle: HandleJob, stopMs = usualLimits.stopMs) {
  const folder = await createTestFolder();
  const store = openSqliteStore(system, `${folder.path}/ralph.sqlite`);
  const worker: Worker = startWorker({
    ...{ queue: store.queue, handle, clock: system.clock },
    ...{ slots: 2, publications: 1, report: () => undefined, redact: createRedactor([secret]) },
    stopMs,
  });
  onTestFinished(async () => {
    await worker.stop();
    await store[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return { worker, queue: store.queue };
}

test("the error stored with a job has no secret, no control character and a limited length", async () => {
  const filler = "x".repeat(1990);
  const words = [`the key is ${secret}`, `\u001b[31m${filler} ${secret}`];
  const { queue, worker } = await workingOn(async () => {
    throw new PermanentJobError(words.shift());
  });
  await queue.add([job("octo/one"), job("octo/two")]);
  worker.wake();
  await expect.poll(async () => (await listDead(queue, "octo/one", "octo/two")).length).toBe(2);
  const dead = await listDead(queue, "octo/one", "octo/two");
  const errors = dead.map(({ error }) => error ?? "");
  expect(errors).toContain("the key is ***");
  expect(errors.join()).not.toContain(secret.slice(0, 4));
  expect(Math.max(...errors.map(({ length }) => length))).toBeLessThanOrEqual(2000);
});

test("a stopped worker lets a job finish", async () => {
  let ended = 0;
  const { queue, worker } = await workingOn(async () => {
    await system.clock.sleep(300);
    ended += 1;
  });
  await queue.add([job("octo/one")]);
  await expect.poll(async () => (await queue.counts()).active).toBe(1);
  await worker.stop();
  expect([ended, await queue.counts()]).toMatchObject([1, { done: 1, active: 0 }]);
});

test("a job that takes too long is aborted and runs again later", async () => {
  let wasTold = false;
  const { queue, worker } = await workingOn(async (_, signal) => {
    await system.clock.sleep(60_000, signal);
    wasTold = signal.aborted;
    throw new Error("It was stopped.");
  }, 5100);
  await queue.add([job("octo/one")]);
  await expect.poll(async () => (await queue.counts()).active).toBe(1);
  await worker.stop();
  expect(wasTold).toBe(true);
  expect(await queue.counts()).toMatchObject({ ready: 1, active: 0 });
});

test("a job that never ends is left for the next worker and does not block the stop", async () => {
  const never = new Promise<void>(() => undefined);
  const { queue, worker } = await workingOn(() => never, 200);
  await queue.add([job("octo/one")]);
  await expect.poll(async () => (await queue.counts()).active).toBe(1);
  const startedAt = performance.now();
  await worker.stop();
  // By its own limit and not the usual one.
  expect(performance.now() - startedAt).toBeLessThan(isMeasured ? 2000 : usualLimits.stopMs);
  expect(await queue.counts()).toMatchObject({ ready: 1, active: 0, dead: 0 });
});

test("other work goes on while more publications wait than may run, and each of them runs in the end", async () => {
  const gate = new AbortController();
  const done: string[] = [];
  const { queue, worker } = await workingOn(async ({ kind }) => {
    if (kind === "push") await system.clock.sleep(60_000, gate.signal);
    done.push(kind);
  });
  await queue.add(["one", "two", "three"].map((name) => job(name, null, { kind: "push" })));
  await queue.add(["four", "five"].map((name) => job(name)));
  worker.wake();
  await expect.poll(() => done).toEqual(["test", "test"]);
  expect(await queue.counts()).toMatchObject({ active: 1, ready: 2 });
  gate.abort();
  await expect.poll(() => done.length).toBe(5);
});
