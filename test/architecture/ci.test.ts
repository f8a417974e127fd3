import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("CI names tests of torture that exist", () => {
  const script = readFileSync(new URL("../../.ci/run", import.meta.url), "utf8");
  const names = [...script.matchAll(/npm run torture -- ([\w-]+)/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(existsSync(new URL(`../torture/${name}.test.ts`, import.meta.url)), name).toBe(true);
  }
});
