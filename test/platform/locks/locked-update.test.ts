import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { type LockedUpdate, updateLocked } from "../../../src/platform/locks/file-locks.ts";
import { runsAll } from "../../setup/sampled.ts";
import { longestWaitMs, python, runContest } from "../../support/locks/contest.ts";
import { hasProgram } from "../../support/project/programs.ts";
import { createTestFolder } from "../../support/project/system.ts";

async function createFolder() {
  const folder = await createTestFolder();
  const files = createFiles(folder.path);
  return {
    path: folder.path,
    files,
    text: async (path: string) => (await files.read(path))?.toString(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const locks = ["state/queue.lock", "state/queue.json.lock"];
const plusOne = (text: string | undefined) => String(Number(text ?? "0") + 1);

test("files are written, merged and removed under locks that are made and stay", async () => {
  await using folder = await createFolder();
  await folder.files.write("state/old.json", "old");
  const updates: LockedUpdate[] = [
    { path: "state/queue.json", locks, text: "all of it" },
    { path: "state/count", locks: ["state/count.lock"], merge: plusOne },
    { path: "state/old.json", locks: [], text: undefined },
  ];
  const written = ["state/queue.json", "state/count", "state/old.json"];
  expect(await updateLocked(folder.files, updates)).toMatchObject({ kind: "updated", written });
  expect(await folder.text("state/queue.json")).toBe("all of it");
  expect(await folder.text("state/count")).toBe("1");
  expect(await folder.files.list("state")).toEqual(
    ["count", "count.lock", "queue.json", "queue.json.lock", "queue.lock"].sort(),
  );
});

test("unchanged content is not written again, and a merge may keep or remove a file", async () => {
  await using folder = await createFolder();
  for (const name of ["same", "left", "gone"]) await folder.files.write(name, name);
  const before = statSync(join(folder.path, "same")).ino;
  const result = await updateLocked(folder.files, [
    { path: "same", locks: ["lock"], text: "same" },
    { path: "left", locks: ["lock"], merge: () => undefined },
    { path: "gone", locks: ["lock"], merge: () => null },
    { path: "absent", locks: ["lock"], text: undefined },
  ]);
  expect(result).toMatchObject({ written: ["gone"] });
  expect(statSync(join(folder.path, "same")).ino).toBe(before);
  expect(await folder.files.list("")).toEqual(["left", "lock", "same"]);
});

test("calls at the same time wait for each other", async () => {
  await using folder = await createFolder();
  const add = () =>
    updateLocked(folder.files, [{ path: "count", locks: ["lock"], merge: plusOne }]);
  await Promise.all(Array.from({ length: 20 }, add));
  expect(await folder.text("count")).toBe("20");
});

test("a file is changed in place where others keep it open, and may be its own lock", async () => {
  await using folder = await createFolder();
  const update = (text: string) =>
    updateLocked(folder.files, [{ path: "signs.md", locks: ["signs.md"], inPlace: true, text }]);
  await update("one\n");
  const { ino } = statSync(join(folder.path, "signs.md"));
  for (const text of ["one\ntwo\n", "one\nthree and more\n", "o\n", "ö"]) {
    expect(await update(text)).toMatchObject({ written: ["signs.md"] });
    expect(await folder.text("signs.md")).toBe(text);
  }
  expect(statSync(join(folder.path, "signs.md")).ino).toBe(ino);
});

test("a file that was only made to be locked counts as absent", async () => {
  await using folder = await createFolder();
  const merge = (text: string | undefined) => (text === undefined ? "first" : "not first");
  await updateLocked(folder.files, [{ path: "signs.md", locks: ["signs.md"], merge }]);
  expect(await folder.text("signs.md")).toBe("first");
});

test("what goes wrong while the locks are held lets go of them", async () => {
  await using folder = await createFolder();
  const failing = updateLocked(folder.files, [
    {
      path: "count",
      locks: ["lock"],
      merge: () => {
        throw new Error("no idea");
      },
    },
  ]);
  await expect(failing).rejects.toThrow("no idea");
  const next = await updateLocked(folder.files, [{ path: "count", locks: ["lock"], text: "1" }]);
  expect(next.kind).toBe("updated");
});

test("links are never followed, neither for a lock nor for a file", async () => {
  await using folder = await createFolder();
  symlinkSync("elsewhere", join(folder.path, "link"));
  writeFileSync(join(folder.path, "file"), "");
  const refused: LockedUpdate[] = [
    { path: "file", locks: ["link"], text: "text" },
    { path: "link", locks: [], text: "text" },
    { path: "link", locks: ["lock"], inPlace: true, text: "text" },
    { path: "file", locks: ["../lock"], text: "text" },
  ];
  for (const update of refused) {
    await expect(updateLocked(folder.files, [update])).rejects.toBeInstanceOf(FileError);
  }
  expect(await folder.files.list("")).toEqual(["file", "link", "lock"]);
});

describe.skipIf(!hasProgram("flock"))("many processes", () => {
  test.runIf(hasFilelock() && runsAll)(
    "ours, Python's filelock and flock(1) exclude each other, also when holders are killed (F13, F15)",
    async () => {
      const workers = ["node", "node", "python", "python", "bash"] as const;
      const [count, kills] = [40, 10];
      const result = await runContest({ workers, count, pauseMs: 40, kills });
      expect(result).toMatchObject({
        kills,
        total: workers.length * count,
        missing: [],
        repeated: [],
      });
      expect(result.waitsMs.node.longest).toBeLessThan(longestWaitMs(result));
    },
  );
});

function hasFilelock(): boolean {
  if (python === undefined) console.info("skipped: no Python here has the package filelock");
  return python !== undefined;
}

test("binary content is not merged, so that no byte of it is lost", async () => {
  await using folder = await createFolder();
  const latin = Buffer.from("caf\xe9", "latin1");
  await folder.files.write("notes", latin);
  const merge = (text = "") => `${text} and more`;
  for (const inPlace of [{}, { inPlace: true as const }]) {
    const result = await updateLocked(folder.files, [
      { path: "notes", locks: [], merge, ...inPlace },
    ]);
    expect(result).toMatchObject({ kind: "updated", written: [] });
  }
  expect(await folder.files.read("notes")).toEqual(latin);
});
