import { Config } from "../../../src/schema/config/config.ts";

/** A valid configuration; `more` adds or replaces top-level keys. */
export const configWith = (more: object): Config =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [{ name: "test", cmd: "true" }] },
    git: { base_branch: "main" },
    ...more,
  });

/** The same settings for every role a session calls. */
export const everyRole = (settings: object) => ({
  implementation: settings,
  test_writing: settings,
  review: settings,
});
