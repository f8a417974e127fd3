import { expect, test } from "vitest";
import { Config } from "../../../src/schema/config/config.ts";
import { checkLaterKeys, findLaterKeys } from "../../../src/session/open/later-keys.ts";

const config = (more: object) =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [{ name: "test", cmd: "true" }] },
    git: { base_branch: "main" },
    ...more,
  });

test.each([
  ["hidden credentials", { agents: { credentials: "proxied" } }, 'agents.credentials is "proxied"'],
])("%s is refused instead of ignored, with its place", (_, more, says) => {
  const locate = (path: readonly PropertyKey[]) => ({ line: path.length, column: 7 });
  const check = () => checkLaterKeys({ config: config(more), locate }, "ralph.yml");
  expect(check).toThrow(`ralph.yml:2:7: ${says}, which is not available yet; remove it`);
});

test("extras are left out with a warning, and a plain configuration has none", () => {
  const extras = config({ ui: { browser_use: { enabled: true }, robot: { enabled: true } } });
  const { errors, warnings } = findLaterKeys(extras);
  expect(errors).toEqual([]);
  expect(warnings.map(({ path }) => path)).toEqual([
    ["ui", "browser_use"],
    ["ui", "robot"],
  ]);
  expect(findLaterKeys(config({}))).toEqual({ errors: [], warnings: [] });
});
