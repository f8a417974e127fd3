import { expect, test } from "vitest";
import type { Step } from "../../../src/core/decide/step.ts";
import { createInFlight } from "../../../src/session/run-tasks.ts";

const step = (task: string): Step => ({ kind: "start-task", task });

/** A flight whose steps end when they are told to. */
function openFlight() {
  const ends = new Map<Step, { resolve: () => void; reject: (error: Error) => void }>();
  let aborts = 0;
  const act = (started: Step) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends.set(started, { resolve, reject });
    return promise;
  };
  const flight = createInFlight(act, () => {
    aborts += 1;
    for (const { resolve } of ends.values()) resolve();
  });
  return { flight, ends, aborts: () => aborts };
}

test("steps run side by side, and each is reported when it ends", async () => {
  const { flight, ends } = openFlight();
  const [one, other] = [step("T-001"), step("T-002")];
  flight.start(one);
  flight.start(other);
  expect(flight.steps).toEqual([one, other]);
  ends.get(other)?.resolve();
  await flight.next();
  expect(flight.steps).toEqual([one]);
});

test("stopping asks all of them to end and waits for that; where no step runs, no one is asked", async () => {
  const { flight, aborts } = openFlight();
  await flight.stop();
  expect(aborts()).toBe(0);
  flight.start(step("T-001"));
  flight.start(step("T-002"));
  await flight.stop();
  expect(aborts()).toBe(1);
  expect(flight.steps).toEqual([]);
});

test("an error of a step reaches the next one who waits", async () => {
  const { flight, ends } = openFlight();
  const broken = step("T-001");
  flight.start(broken);
  flight.start(step("T-002"));
  const next = flight.next();
  ends.get(broken)?.reject(new Error("broken"));
  await expect(next).rejects.toThrow("broken");
  await expect(flight.stop()).rejects.toThrow("broken");
  expect(flight.steps).toEqual([]);
});
