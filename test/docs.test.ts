import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fillDocs } from "../.github/scripts/docs/fill-docs.ts";

test("the tables of README.md are what the code prints (`npm run docs`)", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toBe(fillDocs(readme));
});
