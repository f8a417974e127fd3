import { expect, onTestFinished, test } from "vitest";
import {
  beginUpdate,
  countWrite,
  nextUpdateJob,
} from "../../../app/dashboard/refresh-dashboard.ts";
import { openSqliteStore } from "../../../app/store/sqlite-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { place } from "../../support/app/running-app.ts";
import { createTestFolder } from "../../support/project/system.ts";

async function paced() {
  const folder = await createTestFolder();
  const { notes, ...store } = openSqliteStore(createSystem(), `${folder.path}/ralph.sqlite`);
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const clock = { at: 1_000_000, now: () => clock.at };
  return { clock, parts: { notes, clock } };
}

test("all changes before an update begins share one job, and later ones lead to another", async () => {
  const { parts } = await paced();
  const first = await nextUpdateJob(parts.notes, place);
  expect((await nextUpdateJob(parts.notes, place)).id).toBe(first.id);
  expect(await beginUpdate(parts, { place, isUrgent: false })).toBeUndefined();
  expect((await nextUpdateJob(parts.notes, place)).id).not.toBe(first.id);
});

test("a dashboard is written twice a minute, and once more at once for a person who has ticked a box", async () => {
  const { parts, clock } = await paced();
  for (const _ of [1, 2]) {
    expect(await beginUpdate(parts, { place, isUrgent: false })).toBeUndefined();
    await countWrite(parts, place);
    clock.at += 1000;
  }
  const later = await beginUpdate(parts, { place, isUrgent: false });
  expect(later).toMatchObject({ kind: "show", startAt: 1_000_000 + 60_000 });
  expect((await nextUpdateJob(parts.notes, place)).id).toBe(later?.id);
  expect(await beginUpdate(parts, { place, isUrgent: true })).toBeUndefined();
  clock.at += 60_000;
  expect(await beginUpdate(parts, { place, isUrgent: false })).toBeUndefined();
});
