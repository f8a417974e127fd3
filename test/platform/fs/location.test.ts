import { relative, sep } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import { locate } from "../../../src/platform/fs/location.ts";

test.for(["../x", "a/../../x", "a/..", "..", "/etc/passwd", "/", "a\0b"])(
  "%j is refused (T40)",
  (path) => {
    expect(() => locate("/root", path)).toThrow(FileError);
  },
);

test.for([
  ["a", "/root/a"],
  ["./a//b/", "/root/a/b"],
  ["..\\x", "/root/..\\x"],
  ["%2e%2e/x", "/root/%2e%2e/x"],
  ["a/..b", "/root/a/..b"],
  ["", "/root"],
])("%j is %s", ([path = "", absolute]) => {
  expect(locate("/root", path).absolute).toBe(absolute);
});

test("the folders between root and file are listed from the outside in", () => {
  expect(locate("/r", "a/b/c")).toMatchObject({ folder: "/r/a/b", folders: ["/r/a", "/r/a/b"] });
  expect(locate("/r", "a")).toMatchObject({ folder: "/r", folders: [] });
});

test("whatever the path says, the result is inside the root", () => {
  const part = fc.oneof(fc.constantFrom("..", ".", "", "\\..", "%2e", "a"), fc.string());
  const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(path, (candidate) => {
      const inside = locateOrRefuse(candidate);
      if (inside === undefined) return;
      expect(relative("/root/project", inside).split(sep)).not.toContain("..");
    }),
  );
});

function locateOrRefuse(path: string): string | undefined {
  try {
    return locate("/root/project", path).absolute;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
