import { expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import type { Files } from "../../../src/platform/system.ts";
import { detectProject } from "../../../src/scaffold/detect/detect-project.ts";
import { findFile } from "../../../src/scaffold/detect/find-file.ts";
import { createTestSystem } from "../../support/project/system.ts";

test("upper folders come first, and what tools made is not looked at", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  for (const path of ["a/b/x.py", "node_modules/x.py", ".venv/x.py"]) await files.write(path, "");
  expect(await findFile(files, "", /x\.py$/)).toBe("a/b/x.py");
  await files.write("z/x.py", "");
  expect(await findFile(files, "", /x\.py$/)).toBe("z/x.py");
  expect(await findFile(files, "a", /x\.py$/)).toBe("b/x.py");
  expect(await findFile(files, "", /y\.py$/)).toBeUndefined();
});

test("a folder that may not be read, such as a database's, is no obstacle", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("package.json", '{ "scripts": { "test": "vitest" } }');
  await files.write("data/x", "");
  const guarded: Files = {
    ...files,
    list: async (path) => {
      if (path !== "data") return files.list(path);
      throw new FileError(path, "io", { message: "data: permission denied", remedy: "x" });
    },
  };
  const { layout, gates } = await detectProject(guarded, { baseBranch: "main" });
  expect(layout).toEqual(["data/", "package.json"]);
  expect(gates).toHaveLength(1);
});
