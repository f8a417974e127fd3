import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodePath,
  encodePath,
  joinRecords,
  splitRecords,
  toProjectPath,
  toTreePath,
} from "../../../src/git/trees/tree-path.ts";

const name = fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes.filter(Boolean)));

test("names of any bytes survive the way through text and JSON", () => {
  fc.assert(
    fc.property(name, (bytes) => {
      const text: string = JSON.parse(JSON.stringify(decodePath(bytes)));
      expect(encodePath(text)).toEqual(bytes);
    }),
  );
});

test("lists of names of any bytes survive the way through records", () => {
  const names = fc.array(name.filter((bytes) => bytes.length > 0));
  fc.assert(
    fc.property(names, (all) => {
      const paths = all.map(decodePath);
      expect(splitRecords(joinRecords(paths))).toEqual(paths);
    }),
  );
});

test.each([
  ["", "src/a.ts", "src/a.ts"],
  ["app/", "app/src/a.ts", "src/a.ts"],
  ["app/", "lib/a.ts", "../lib/a.ts"],
  ["app/web/", "app/lib/a.ts", "../lib/a.ts"],
  ["app/", "nested/", "../nested/"],
  ["app/", "app/nested/", "nested/"],
])("below %j, %j is %j, and back", (prefix, treePath, projectPath) => {
  expect(toProjectPath(prefix, treePath)).toBe(projectPath);
  expect(toTreePath(prefix, projectPath)).toBe(treePath);
});

test.each(["..", "../x", "a/../../x", "/etc/passwd"])("%j never leaves the work tree", (path) => {
  expect(() => toTreePath("", path)).toThrow("leaves the work tree");
});
