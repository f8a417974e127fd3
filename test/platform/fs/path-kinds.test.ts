import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPathKinds } from "../../../src/platform/fs/path-kinds.ts";
import { createTestFolder } from "../../support/project/system.ts";

test("folders and files are distinguished, links resolved, missing ones left out", async () => {
  await using folder = await createTestFolder();
  const at = (name: string) => join(folder.path, name);
  await mkdir(at("folder"));
  await writeFile(at("file"), "");
  await symlink("folder", at("link"));
  await symlink("nowhere", at("dangling"));
  const paths = ["link", "file", "none", "dangling", "file/below"].map(at);
  expect(readPathKinds(paths)).toEqual({ folders: [at("folder")], files: [at("file")] });
});
