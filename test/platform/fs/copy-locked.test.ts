import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestSystem } from "../../support/project/system.ts";

test("bytes and time are copied, and no lock is left", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("ours", "new");
  await files.write("git/index", "old");
  await utimes(join(system.root, "ours"), 1_700_000_000, 1_700_000_000.5);
  expect(await files.copyLocked("git/index", join(system.root, "ours"))).toBe(true);
  expect((await files.read("git/index"))?.toString()).toBe("new");
  expect((await stat(join(system.root, "git/index"))).mtimeMs).toBe(1_700_000_000_500);
  expect(await files.list("git")).toEqual(["index"]);
});

test("a copy is never newer than what it was copied from", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("ours", "new");
  await files.copyLocked("index", join(system.root, "ours"));
  const [ours, copy] = await Promise.all(
    ["ours", "index"].map((name) => stat(join(system.root, name), { bigint: true })),
  );
  expect(copy?.mtimeNs).toBeLessThanOrEqual(ours?.mtimeNs ?? 0n);
});

test("while another process holds the lock nothing is copied, and the lock stays in place", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("ours", "new");
  await files.write("index", "old");
  await files.write("index.lock", "theirs");
  expect(await files.copyLocked("index", join(system.root, "ours"))).toBe(false);
  expect((await files.read("index"))?.toString()).toBe("old");
  expect((await files.read("index.lock"))?.toString()).toBe("theirs");
});

test("a copy that fails leaves no lock", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.makeFolder("index/in-the-way");
  await files.write("ours", "new");
  await expect(files.copyLocked("index", join(system.root, "ours"))).rejects.toThrow("index");
  expect(await files.list("")).toEqual(["index", "ours"]);
});
