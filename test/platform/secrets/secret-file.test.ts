import { chmod, stat, symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readSecretFile, writeSecretFile } from "../../../src/platform/secrets/secret-file.ts";
import { createTestFolder } from "../../support/project/system.ts";

test("a file with secrets is its owner's alone, and never written over", async () => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/inner/app.env`;
  expect(writeSecretFile(path, "one")).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(`${folder.path}/inner`)).mode & 0o777).toBe(0o700);
  expect(writeSecretFile(path, "two")).toBe(false);
  expect(readSecretFile(path)).toEqual({ kind: "read", text: "one" });
});

test.each([0o604, 0o602, 0o644, 0o601])("with mode %o it is not believed", async (mode) => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/app.env`;
  await writeFile(path, "x");
  await chmod(path, mode);
  expect(readSecretFile(path)).toEqual({ kind: "open" });
});

test("a link in its place is not written through, but may be read, as secrets are mounted", async () => {
  await using folder = await createTestFolder();
  const [path, target] = [`${folder.path}/app.env`, `${folder.path}/target`];
  await symlink(target, path);
  expect(readSecretFile(path)).toEqual({ kind: "absent" });
  expect(writeSecretFile(path, "x")).toBe(false);
  await writeFile(target, "y", { mode: 0o440 });
  expect(readSecretFile(path)).toEqual({ kind: "read", text: "y" });
});

test("a folder, and a path through a file, are no file", async () => {
  await using folder = await createTestFolder();
  await writeFile(`${folder.path}/file`, "x");
  expect(readSecretFile(folder.path)).toEqual({ kind: "absent" });
  expect(readSecretFile(`${folder.path}/file/app.env`)).toEqual({ kind: "absent" });
});
