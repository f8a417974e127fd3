import { glob, readFile } from "node:fs/promises";
import { dirname } from "node:path/posix";
import { expect, test } from "vitest";

const maxLines = 300;
const maxFiles = 25;

test("no file outgrows one sitting", async () => {
  for await (const file of glob("{src,app,test,.github/scripts}/**/*.ts")) {
    const lines = (await readFile(file, "utf8")).split("\n").length;
    expect.soft(lines, file).toBeLessThanOrEqual(maxLines);
  }
});

test("no folder holds more files than a screen shows", async () => {
  const counts = new Map<string, number>();
  for await (const file of glob("{src,app,test,.github/scripts}/**/*.ts")) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([]);
});
