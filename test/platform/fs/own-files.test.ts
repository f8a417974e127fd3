import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOwnFiles } from "../../../src/platform/fs/own-files.ts";
import { createTestSystem } from "../../support/project/system.ts";

async function createSetting() {
  const system = await createTestSystem();
  const outside = join(system.root, "outside");
  const project = join(system.root, "project");
  for (const folder of [outside, project]) mkdirSync(folder);
  return {
    system,
    outside,
    view: join(project, ".view"),
    own: createOwnFiles(system.files(project), ".view"),
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

type Setting = Awaited<ReturnType<typeof createSetting>>;

const obstacles: [string, (setting: Setting) => void][] = [
  ["a link in place of the whole folder", ({ view, outside }) => symlinkSync(outside, view)],
  ["a file in place of the whole folder", ({ view }) => writeFileSync(view, "in the way")],
  [
    "a link in place of a folder below",
    ({ view, outside }) => {
      mkdirSync(view);
      symlinkSync(outside, join(view, "logs"));
    },
  ],
  [
    "a link in place of the file",
    ({ view, outside }) => {
      mkdirSync(join(view, "logs"), { recursive: true });
      symlinkSync(join(outside, "target"), join(view, "logs/a.log"));
    },
  ],
  [
    "a pipe in place of the file",
    ({ view }) => {
      mkdirSync(join(view, "logs"), { recursive: true });
      execFileSync("mkfifo", [join(view, "logs/a.log")]);
    },
  ],
  [
    "a folder in place of the file",
    ({ view }) => void mkdirSync(join(view, "logs/a.log/b"), { recursive: true }),
  ],
];

test.each(obstacles)("%s is removed, and nothing is written outside", async (_, plant) => {
  await using setting = await createSetting();
  const { own, view, outside } = setting;
  plant(setting);
  await own.write("logs/a.log", "ours\n");
  expect(readFileSync(join(view, "logs/a.log"), "utf8")).toBe("ours\n");
  rmSync(view, { recursive: true });
  plant(setting);
  await using file = await own.openAppend("logs/a.log");
  await file.append("more\n");
  expect(readFileSync(join(view, "logs/a.log"), "utf8")).toBe("more\n");
  expect(readdirSync(outside)).toEqual([]);
});

test.each(obstacles)("%s is never read through", async (_, plant) => {
  await using setting = await createSetting();
  writeFileSync(join(setting.outside, "target"), "secret");
  writeFileSync(join(setting.outside, "a.log"), "secret");
  plant(setting);
  expect((await setting.own.read("logs/a.log"))?.toString() ?? "").toBe("");
  expect(await setting.own.list("logs")).not.toContain("target");
});
