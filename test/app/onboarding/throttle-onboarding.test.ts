import { expect, test } from "vitest";
import {
  offerPauseMs,
  throttledOfferJob,
  throttleOffer,
} from "../../../app/onboarding/throttle-onboarding.ts";
import type { RunParts } from "../../../app/runs/run-parts.ts";
import { openSqliteStore } from "../../../app/store/sqlite-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { createTestFolder } from "../../support/project/system.ts";

test("the first repository of an installation gets its offer at once, the others one after the other", async () => {
  await using folder = await createTestFolder();
  const system = createSystem();
  await using store = openSqliteStore(system, `${folder.path}/ralph.sqlite`);
  let now = 1_000_000;
  const clock = { ...system.clock, now: () => now };
  const parts: Pick<RunParts, "notes" | "clock"> = { notes: store.notes, clock };
  const offer = async (id: string, installation = 3) => {
    const place = { installation, id: id.charCodeAt(0), repository: `octo/${id}` };
    const [job, ...others] = await throttleOffer(parts as RunParts, { id, data: { place } });
    expect(others).toEqual([]);
    expect(job).toMatchObject({ kind: "offer", group: `work:${place.id}`, data: { place } });
    return job?.startAt;
  };
  const next = now + 3 * offerPauseMs;
  expect([await offer("a"), await offer("b"), await offer("c")]).toEqual([
    now,
    now + offerPauseMs,
    now + 2 * offerPauseMs,
  ]);
  // The repositories of another installation have their own turns.
  expect(await offer("d", 4)).toBe(now);
  now += offerPauseMs / 2;
  expect(await offer("e")).toBe(next);
  now += 9 * offerPauseMs;
  expect(await offer("f")).toBe(now);
});

test("an installation gives one turn at a time, and a repository gets one per event", () => {
  const place = { installation: 3, id: 1, repository: "octo/a" };
  const [one, other] = [
    throttledOfferJob("x", place),
    throttledOfferJob("y", { ...place, id: 2, repository: "octo/b" }),
  ];
  expect(one.group).toBe(other.group);
  expect(one.id).not.toBe(other.id);
  expect(throttledOfferJob("x", place)).toEqual(one);
});
