import { expect, test } from "vitest";
import { startJournal } from "../../../src/journal/journal.ts";
import { openSessionStore, type SessionStore } from "../../../src/journal/session-store.ts";
import {
  addSpending,
  keepSpending,
  spentByOthers,
} from "../../../src/session/loop/day-spending.ts";
import { agentEnd, sessionStart, start, task } from "../../support/builders/session.ts";
import { createTestSystem, type TestSystem } from "../../support/project/system.ts";

const [first, second, third] = [
  "20260125-143052-aaaaaa",
  "20260125-150000-bbbbbb",
  "20260125-160000-cccccc",
] as const;

function storeOf(system: TestSystem): SessionStore {
  const env = { RALPH_STATE_DIR: `${system.root}/state` };
  return openSessionStore({ ...system, env }, { gitDir: "/r/.git", root: "/r" });
}

/** A session that has spent so much by now. */
async function spend(system: TestSystem, session: string, cost_usd: number): Promise<void> {
  const files = storeOf(system).session(session);
  await using journal = await startJournal(
    { files, clock: system.clock },
    sessionStart([task("T-001")], { session_id: session }),
  );
  await journal.append(start("T-001"));
  await journal.append(agentEnd("T-001", { usage: { cost_usd } }));
}

const others = (system: TestSystem, sessionId: string) =>
  spentByOthers(storeOf(system), { sessionId, now: system.clock.now() });

test("the day holds what all other sessions spent on it", async () => {
  await using system = await createTestSystem();
  await spend(system, first, 0.5);
  await spend(system, second, 0.25);
  expect(await others(system, third)).toEqual({ day: "2026-01-25", usd: 0.75 });
  expect(await others(system, second)).toMatchObject({ usd: 0.5 });
  system.clock.advance(10 * 3_600_000);
  expect(await others(system, third)).toEqual({ day: "2026-01-26", usd: 0 });
});

test("a removed session has still spent its money, and only once", async () => {
  await using system = await createTestSystem();
  const store = storeOf(system);
  await spend(system, first, 0.5);
  await spend(system, second, 0.25);
  const given = { sessions: [first], now: system.clock.now() };
  await keepSpending(store, given);
  await keepSpending(store, given);
  expect(await others(system, third)).toMatchObject({ usd: 0.75 });
  await store.files.remove(`sessions/${first}`);
  expect(await others(system, third)).toMatchObject({ usd: 0.75 });
  await keepSpending(store, { ...given, sessions: [second] });
  await store.files.remove(`sessions/${second}`);
  expect(await others(system, third)).toMatchObject({ usd: 0.75 });
});

test("what was spent on days that are over is forgotten", async () => {
  await using system = await createTestSystem();
  const store = storeOf(system);
  await spend(system, first, 0.5);
  await keepSpending(store, { sessions: [first], now: system.clock.now() });
  expect(await store.files.stat("spending.txt")).toBeDefined();
  system.clock.advance(24 * 3_600_000);
  await keepSpending(store, { sessions: [second], now: system.clock.now() });
  expect(await store.files.stat("spending.txt")).toBeUndefined();
});

test("a broken journal has spent what it says up to the break", async () => {
  await using system = await createTestSystem();
  await spend(system, first, 0.5);
  const files = storeOf(system).session(first);
  const text = await files.read("journal.jsonl");
  await files.write("journal.jsonl", `${text}{}\n`);
  expect(await others(system, second)).toMatchObject({ usd: 0.5 });
});

test("an autopilot run has an entry of its own for each day, beside that of its session", async () => {
  await using system = await createTestSystem();
  const store = storeOf(system);
  await spend(system, second, 0.25);
  const add = (usd: number) => addSpending(store, { run: first, usd, now: system.clock.now() });
  await add(0.1);
  await add(0.2);
  expect((await others(system, third)).usd).toBeCloseTo(0.55);
  await keepSpending(store, { sessions: [second], now: system.clock.now() });
  await store.files.remove(`sessions/${second}`);
  expect((await others(system, third)).usd).toBeCloseTo(0.55);
  system.clock.advance(24 * 3_600_000);
  await add(1);
  expect((await others(system, third)).usd).toBe(1);
});
