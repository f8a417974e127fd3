import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attacks } from "../../.github/scripts/torture/attacks.ts";
import { goals } from "../../.github/scripts/torture/goals.ts";
import { shownThreats, threats } from "../../.github/scripts/torture/threats.ts";

const root = new URL("../../", import.meta.url).pathname;
const text = readFileSync(`${root}.github/SECURITY.md`, "utf8");

/** Rows of the table of promises: what is promised, and the cell that says how it is tested. */
const promises = Array.from(
  text.matchAll(/^\| (.*) \| (.*`test\/.*) \|$/gm),
  ([, promise = "", tested = ""]) => ({ promise, tested }),
);
const testsIn = (tested: string) =>
  Array.from(tested.matchAll(/`(test\/\S+)`/g), ([, path = ""]) => path);
const isRun = (path: string) => {
  const patterns = [
    ...goals.flatMap(({ files, more = [] }) => [...files, ...more]),
    ...Object.values(shownThreats).flatMap((shown) => shown.map(({ file }) => file)),
  ];
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).includes(path);
};

test("SECURITY.md has a row for each promise", () => {
  expect(promises.length).toBeGreaterThan(20);
});

test.each(promises)("$promise: its tests exist, and `npm run torture` runs them", ({ tested }) => {
  const files = testsIn(tested).map((path) => globSync(path, { cwd: root }));
  expect(files.filter((found) => found.length === 0)).toEqual([]);
  // Real agent programs are large to install: `npm run test:agents` runs those.
  const left = files.flat().filter((path) => !isRun(path) && !path.startsWith("test/agents-real/"));
  expect(left).toEqual([]);
});

test.each(promises.filter(({ tested }) => tested.includes("and without")))(
  "$promise: its attack is paired with one that succeeds",
  ({ tested }) => {
    const paired = attacks.map(({ withstood }) => withstood.file);
    expect(testsIn(tested).filter((path) => paired.includes(path))).not.toEqual([]);
  },
);

test("a threat whose test does not name it belongs to the list", () => {
  expect(Object.keys(shownThreats).filter((id) => !threats.includes(id))).toEqual([]);
});
