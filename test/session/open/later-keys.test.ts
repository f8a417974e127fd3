import { expect, test } from "vitest";
import { Config } from "../../../src/schema/config/config.ts";
import { findLaterKeys } from "../../../src/session/open/later-keys.ts";

const config = (more: object) =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [{ name: "test", cmd: "true" }] },
    git: { base_branch: "main" },
    ...more,
  });

test("keys without an effect of their own are left out with a warning, and a plain configuration has none", () => {
  const extras = config({ ui: { browser_use: { enabled: true }, robot: { auto_generate: true } } });
  expect(findLaterKeys(extras).map(({ path }) => path)).toEqual([
    ["ui", "browser_use", "enabled"],
    ["ui", "robot", "auto_generate"],
  ]);
  expect(findLaterKeys(config({}))).toEqual([]);
});
