import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPrivateFolder } from "../../../src/platform/fs/folder-tree.ts";
import { createTestFolder } from "../../support/project/system.ts";

test("a private folder can be entered by its user only, and nobody can guess its name (T38)", async () => {
  await using folder = await createTestFolder();
  const made = [1, 2].map(() => createPrivateFolder(join(folder.path, "homes"), "call-"));
  expect(new Set(made).size).toBe(2);
  for (const path of [join(folder.path, "homes"), ...made])
    expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(made[0]).toMatch(/call-\w{6}$/);
});
