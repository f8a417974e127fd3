import { expect, test } from "vitest";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { createAppender } from "../../../src/views/sync/updater.ts";
import type { AppendView } from "../../../src/views/view.ts";
import { events, runOf, sessionStart, task } from "../../support/builders/session.ts";
import { createTestFolder } from "../../support/project/system.ts";

const tasks = [task("T-001")];
const state = runOf(tasks);
const [event = fail()] = events([sessionStart(tasks)]);
const evidence = async () => "";

const growing = (text: string): AppendView => ({
  kind: "append",
  name: "growing",
  append: () => ({ path: "logs/a.log", text }),
});

test("the first text replaces an older file, later ones are added", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(folder.path);
  await files.write("logs/a.log", "of an older session");
  const appender = createAppender(files, { views: [growing("line\n")], evidence });
  await appender.take(event, state);
  await appender.flush();
  await appender.take(event, state);
  await appender.flush();
  await appender.flush();
  expect((await files.read("logs/a.log"))?.toString()).toBe("line\nline\n");
});

test("much text is written before anybody asks, so that memory stays bounded", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(folder.path);
  const views = [growing("x".repeat(600 * 1024))];
  const appender = createAppender(files, { views, evidence });
  await appender.take(event, state);
  expect(await files.stat("logs/a.log")).toBeUndefined();
  await appender.take(event, state);
  expect((await files.stat("logs/a.log"))?.bytes).toBe(1200 * 1024);
});

function fail(): never {
  throw new Error("unreachable");
}
