import { expect, test } from "vitest";
import type { Fact } from "../../src/core/state/event.ts";
import { startJournal } from "../../src/journal/journal.ts";
import {
  openSessionStore,
  type SessionStore,
  unfinishedSession,
} from "../../src/journal/session-store.ts";
import { sessionStart, start, task } from "../support/builders/session.ts";
import { createTestSystem } from "../support/project/system.ts";

async function createStore() {
  const system = await createTestSystem();
  const env = { RALPH_STATE_DIR: system.root };
  const store = openSessionStore({ ...system, env }, { gitDir: "/g", root: "/r" });
  return { system, store, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
}

type Given = Awaited<ReturnType<typeof createStore>>;
const end = (reason: "all_done" | "cancelled" | "source"): Fact => ({
  type: "session_end",
  reason,
  message: "",
});

async function addSession({ system, store }: Given, id: string, facts: Fact[]): Promise<void> {
  const deps = { files: store.session(id), clock: system.clock };
  await using journal = await startJournal(deps, sessionStart([task("T-001")], { session_id: id }));
  for (const fact of facts) await journal.append(fact);
}

const older = "20260125-143052-aaaaaa";
const newer = "20260126-143052-bbbbbb";

test.each<[what: string, facts: Fact[], found: string | undefined]>([
  ["one that stopped with work left", [end("cancelled")], newer],
  ["one that was killed", [], newer],
  ["the one before a newest that was refused", [end("source")], older],
  ["one that failed after its first task began", [start("T-001"), end("source")], newer],
  ["none when the newest has come to its end", [end("all_done")], undefined],
])("the session to resume is %s", async (_, facts, found) => {
  await using given = await createStore();
  await addSession(given, older, []);
  await addSession(given, newer, facts);
  expect(await unfinishedSession(given.store)).toBe(found);
});

test("one that was killed before its journal began hides nothing", async () => {
  await using given = await createStore();
  await addSession(given, older, [end("cancelled")]);
  await given.store.session(newer).makeFolder("evidence");
  expect(await unfinishedSession(given.store)).toBe(older);
});

test("one whose journal is broken counts, so that resuming it explains the problem", async () => {
  await using given = await createStore();
  await addSession(given, older, [end("all_done")]);
  await breakJournal(given.store, older);
  expect(await unfinishedSession(given.store)).toBe(older);
});

async function breakJournal(store: SessionStore, id: string): Promise<void> {
  const text = (await store.session(id).read("journal.jsonl"))?.toString() ?? "";
  await store.session(id).write("journal.jsonl", text.replace("An example", "Another"));
}
