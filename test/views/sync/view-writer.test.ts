import { symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { createViewWriter } from "../../../src/views/sync/view-writer.ts";
import type { RenderView } from "../../../src/views/view.ts";
import { runOf, task } from "../../support/builders/session.ts";
import { createTestFolder } from "../../support/project/system.ts";

const state = runOf([task("T-001")]);
const view = (text: string | undefined): RenderView => ({
  kind: "render",
  name: "view",
  path: "view.txt",
  render: () => text,
});

test("a view without text makes no file", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(folder.path);
  await createViewWriter(files, { token: "" }).write([view(undefined)], state);
  expect(await files.list(".")).toEqual([]);
});

test("a link in place of our file is tampering and is replaced", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(folder.path);
  const writer = createViewWriter(files, { token: "" }, ["view.txt"]);
  await writer.write([view("ours")], state);
  await files.write("other.txt", "ours");
  await files.remove("view.txt");
  symlinkSync("other.txt", `${folder.path}/view.txt`);
  expect(await writer.tampered()).toEqual([
    {
      path: "view.txt",
      message: expect.stringContaining("view.txt was replaced by another process"),
    },
  ]);
  await writer.write([view("ours")], state);
  expect((await files.stat("view.txt"))?.kind).toBe("file");
  expect((await files.read("other.txt"))?.toString()).toBe("ours");
});

test("a file that was never written cannot be tampered with", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(folder.path);
  await files.write("view.txt", "old session");
  expect(await createViewWriter(files, { token: "" }, ["view.txt"]).tampered()).toEqual([]);
});

test("a change is found even when the next write comes before the check", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(folder.path);
  const writer = createViewWriter(files, { token: "" }, ["view.txt"]);
  await writer.write([view("ours")], state);
  writeFileSync(`${folder.path}/view.txt`, "theirs");
  await writer.write([view("ours again")], { ...state, tasksAt: state.tasksAt + 1 });
  expect(await writer.tampered()).toMatchObject([{ path: "view.txt" }]);
  expect(await writer.tampered()).toEqual([]);
  expect((await files.read("view.txt"))?.toString()).toBe("ours again");
});
