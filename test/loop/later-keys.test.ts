import { expect, test } from "vitest";
import { checkLaterKeys } from "../../src/loop/later-keys.ts";
import { Config } from "../../src/model/config.ts";

const config = (more: object) =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [{ name: "test", cmd: "true" }] },
    git: { base_branch: "main" },
    ...more,
  });

test.each([
  ["parallel tasks", { limits: { parallel: 2 } }, "limits.parallel"],
  ["hidden credentials", { agents: { credentials: "proxied" } }, "agents.credentials"],
])("%s is refused instead of ignored", (_, more, key) => {
  expect(() => checkLaterKeys(config(more), "ralph.yml")).toThrow(key);
});

test("extras are left out with a warning, and a plain configuration has none", () => {
  const extras = config({ compat: { emit: ["omx"] }, ui: { robot: { enabled: true } } });
  expect(checkLaterKeys(extras, "ralph.yml")).toHaveLength(2);
  expect(checkLaterKeys(config({}), "ralph.yml")).toEqual([]);
});
