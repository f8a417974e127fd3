import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** Names that two files may export, each with its reason. */
const shared: Readonly<Record<string, string>> = {
  Answer: "an agent program answers a prompt, a check of the proof answers a question",
  Problem: "an error lists problems of a file, the proof problems of a change",
};
const mostShared = 10;

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

/** The files that declare each exported name. A zod schema and its type share one name in one file. */
async function exporters(): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  for await (const file of glob("{src,app}/**/*.ts")) {
    const text = await readFile(file, "utf8");
    const names = new Set(Array.from(text.matchAll(declaration), ([, name = ""]) => name));
    for (const name of names) files.set(name, [...(files.get(name) ?? []), file]);
  }
  return files;
}

const several = [...(await exporters())].filter(([, files]) => files.length > 1);

test("an exported name has one meaning: one file declares it", () => {
  expect(several.filter(([name]) => !Object.hasOwn(shared, name))).toEqual([]);
});

test("the exceptions are few, and each is still needed", () => {
  const names = Object.keys(shared);
  expect(names.length).toBeLessThanOrEqual(mostShared);
  expect(names.filter((name) => !several.some(([each]) => each === name))).toEqual([]);
});
