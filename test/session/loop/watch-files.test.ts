import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { watchFiles } from "../../../src/session/loop/watch-files.ts";
import { createTestFolder } from "../../support/project/system.ts";

async function createSetting(isWatched = (_: string) => true, inGit: readonly string[] = []) {
  const folder = await createTestFolder();
  const full = (path: string) => join(folder.path, path);
  return {
    full,
    write: (path: string, text: string) => {
      mkdirSync(dirname(full(path)), { recursive: true });
      writeFileSync(full(path), text);
    },
    read: (path: string) => readFileSync(full(path), "utf8"),
    names: (path: string) => readdirSync(full(path)),
    watch: () =>
      watchFiles(createFiles(folder.path), {
        ...{ places: [".claude"], isWatched, listInGit: async () => new Set(inGit) },
      }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test("changed, new, removed and replaced files are as before, others are left alone", async () => {
  await using setting = await createSetting((path) => path !== ".claude/free");
  for (const name of ["changed", "gone", "linked", "kept", "free"])
    setting.write(`.claude/${name}`, "before");
  const putBack = await setting.watch();
  setting.write(".claude/changed", "after!");
  setting.write(".claude/free", "after");
  setting.write(".claude/new/hook", "after");
  const files = createFiles(setting.full(""));
  await files.remove(".claude/gone");
  await files.remove(".claude/linked");
  symlinkSync("kept", setting.full(".claude/linked"));
  expect(await putBack()).toEqual({
    changed: [".claude/new/hook", ".claude/changed", ".claude/gone", ".claude/linked"],
    lost: [],
  });
  const texts = ["changed", "gone", "linked", "kept"].map((name) =>
    setting.read(`.claude/${name}`),
  );
  expect(texts).toEqual(["before", "before", "before", "before"]);
  expect(setting.read(".claude/free")).toBe("after");
});

test("a file too large to be kept is removed where it was changed, also with its size and time put back", async () => {
  await using setting = await createSetting();
  const large = "x".repeat(256 * 1024 + 1);
  for (const name of ["same", "changed"]) setting.write(`.claude/${name}`, large);
  const { atime, mtime } = statSync(setting.full(".claude/changed"));
  const putBack = await setting.watch();
  setting.write(".claude/changed", large.replace("x", "y"));
  utimesSync(setting.full(".claude/changed"), atime, mtime);
  const changed = [".claude/changed"];
  expect(await putBack()).toEqual({ changed, lost: changed });
  expect(setting.names(".claude")).toEqual(["same"]);
});

test("a large file or a link that git has put back stays, and so does a small one that it has not", async () => {
  const inGit = [".claude/large", ".claude/link", ".claude/small"];
  await using setting = await createSetting(undefined, inGit);
  const large = "x".repeat(256 * 1024 + 1);
  setting.write(".claude/large", large);
  setting.write(".claude/small", "before");
  symlinkSync("small", setting.full(".claude/link"));
  const putBack = await setting.watch();
  const files = createFiles(setting.full(""));
  for (const path of inGit) await files.remove(path);
  setting.write(".claude/large", large);
  setting.write(".claude/small", "after!");
  symlinkSync("small", setting.full(".claude/link"));
  expect(await putBack()).toEqual({ changed: [".claude/small"], lost: [] });
  expect(setting.names(".claude").toSorted()).toEqual(["large", "link", "small"]);
  expect(setting.read(".claude/small")).toBe("before");
});

test("of more than 500 files all are watched, and those beyond are removed where they were changed", async () => {
  await using setting = await createSetting();
  const names = Array.from({ length: 502 }, (_, index) => String(1000 + index));
  for (const name of names) setting.write(`.claude/${name}`, "before");
  const putBack = await setting.watch();
  for (const name of ["1000", "1499", "1500"]) setting.write(`.claude/${name}`, "planted");
  const { changed, lost } = await putBack();
  expect(changed).toEqual([".claude/1000", ".claude/1499", ".claude/1500"]);
  expect(lost).toEqual([".claude/1500"]);
  const left = setting.names(".claude").map((name) => setting.read(`.claude/${name}`));
  expect([left.length, new Set(left)]).toEqual([501, new Set(["before"])]);
});

test("a flood of new files is removed, and few of them are named; as the user's own it stops the call before it starts", async () => {
  await using setting = await createSetting();
  setting.write(".claude/own", "before");
  const putBack = await setting.watch();
  for (let index = 0; index <= 20_001; index++) setting.write(`.claude/flood/${index}`, "");
  await expect(setting.watch()).rejects.toThrow("More than 20000 files that steer agents");
  expect((await putBack()).changed).toHaveLength(500);
  expect(setting.names(".claude/flood")).toEqual([]);
  expect(setting.read(".claude/own")).toBe("before");
}, 120_000);
