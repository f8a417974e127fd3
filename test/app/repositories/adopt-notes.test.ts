import { expect, onTestFinished, test } from "vitest";
import { readRepository } from "../../../app/repositories/repository-note.ts";
import { adoptNotes } from "../../../app/repositories/settle-place.ts";
import { listRuns } from "../../../app/runs/dispatched-run.ts";
import type { Note } from "../../../app/store/notes.ts";
import { openSqliteStore } from "../../../app/store/sqlite-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { place } from "../../support/app/running-app.ts";
import { dispatchedRun } from "../../support/app/runs.ts";
import { createTestFolder } from "../../support/project/system.ts";

const name = place.repository;
const { id: _, ...named } = place;
const run = { ...dispatchedRun(), place: named };

/** Notes as the version before wrote them, and the move of those since `createdAt`. */
async function adopt(notes: readonly Note[], createdAt: number) {
  const folder = await createTestFolder();
  const store = openSqliteStore(createSystem(), `${folder.path}/ralph.sqlite`);
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  for (const note of notes) await store.notes.put(note);
  await adoptNotes(store, { place, name, createdAt });
  return store.notes;
}

const old = (kind: Note["kind"], id: string, data: unknown, at = 50): Note => ({
  ...{ kind, id, repository: name, at, data },
});
const paused = old("repository", name, { place: named, isPaused: true });

test("what the version before kept under a name belongs to the repository's id afterwards", async () => {
  const orders = [{ comment: 1, verb: "hint" }];
  const notes = await adopt(
    [paused, old("run", run.id, run), old("orders", `${name}#12`, orders)],
    10,
  );
  expect(await readRepository(notes, place)).toMatchObject({ isPaused: true, place });
  expect(await listRuns(notes, { place })).toMatchObject([{ id: run.id, place }]);
  expect((await notes.get("orders", "7#12"))?.data).toEqual(orders);
  expect(await notes.get("repository", name)).toBeUndefined();
});

test("a repository that was created later under an old name gets nothing of the one before it", async () => {
  const notes = await adopt([paused, old("run", run.id, run)], 100);
  expect(await readRepository(notes, place)).toMatchObject({ isPaused: false });
  expect(await listRuns(notes, { place })).toEqual([]);
});

test("a move that was interrupted is completed, and a pause under either name stays one", async () => {
  const since = { ...old("repository", "7", { place, isPaused: false }), repository: "7" };
  const notes = await adopt([since, paused, old("run", run.id, run)], 10);
  expect(await readRepository(notes, place)).toMatchObject({ isPaused: true });
});
