import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import type { Files } from "../../../src/platform/system.ts";
import { type PlannedFile, writeFiles } from "../../../src/scaffold/write/write-files.ts";
import { createTestSystem, type TestSystem } from "../../support/project/system.ts";

const plan = (system: TestSystem, path: string, kind: PlannedFile["kind"] = "text") => ({
  base: system.root,
  path,
  purpose: "",
  content: `new ${path}\n`,
  kind,
});

const read = async (system: TestSystem, path: string) =>
  (await system.files(system.root).read(path))?.toString();

test("existing files are kept", async () => {
  await using system = await createTestSystem();
  await system.files(system.root).write("a", "mine");
  const planned = [plan(system, "a"), plan(system, "x/b")];
  const { created, kept } = await writeFiles(system, planned, { force: false });
  expect([created, kept].map((files) => files.map(({ path }) => path))).toEqual([["x/b"], ["a"]]);
  expect(await read(system, "a")).toBe("mine");
});

test("force replaces, and no backup is ever overwritten", async () => {
  await using system = await createTestSystem();
  for (const text of ["first", "second"]) {
    await system.files(system.root).write("a", text);
    await writeFiles(system, [plan(system, "a")], { force: true });
  }
  expect(await read(system, "a")).toBe("new a\n");
  expect(await read(system, "a.bak")).toBe("first");
  expect(await read(system, "a.bak2")).toBe("second");
  const again = await writeFiles(system, [plan(system, "a")], { force: true });
  expect([again.replaced.length, again.kept.length, again.same.length]).toEqual([0, 0, 1]);
});

test("lines are added to a file without force and without a backup", async () => {
  await using system = await createTestSystem();
  await system.files(system.root).write("a", "old");
  const { extended } = await writeFiles(system, [plan(system, "a", "extended")], { force: false });
  expect(extended).toHaveLength(1);
  expect(await system.files(system.root).list(".")).toEqual(["a"]);
});

test("when one file cannot be written, everything is as it was", async () => {
  await using system = await createTestSystem();
  await system.files(system.root).write("a", "mine");
  const full = (files: Files): Files => ({
    ...files,
    write: async (path, content) => {
      if (path !== "z") return files.write(path, content);
      throw new FileError(path, "io", { message: "z: no space left", remedy: "x" });
    },
  });
  const planned = ["a", "x/y/b", "z"].map((path) => plan(system, path));
  const broken = { files: (root: string) => full(system.files(root)) };
  await expect(writeFiles(broken, planned, { force: true })).rejects.toMatchObject({
    reason: "config",
    message: "Nothing was written: z: no space left",
  });
  expect(await system.files(system.root).list(".")).toEqual(["a"]);
  expect(await read(system, "a")).toBe("mine");
});

test("a link is refused, with everything as it was", async () => {
  await using system = await createTestSystem();
  symlinkSync("elsewhere", join(system.root, "b"));
  const planned = [plan(system, "a"), plan(system, "b")];
  await expect(writeFiles(system, planned, { force: true })).rejects.toThrow(
    /^Nothing was written: b is behind the symbolic link/,
  );
  expect(await system.files(system.root).list(".")).toEqual(["b"]);
});

test("a file in the place of a folder is refused before anything is written", async () => {
  await using system = await createTestSystem();
  await system.files(system.root).write(".ralph", "");
  const planned = [plan(system, "a"), plan(system, ".ralph/ralph.yml")];
  await expect(writeFiles(system, planned, { force: false })).rejects.toThrow(
    /\.ralph is a file, and \.ralph\/ralph\.yml needs a folder/,
  );
  expect(await system.files(system.root).list(".")).toEqual([".ralph"]);
});
