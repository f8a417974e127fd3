import { Config } from "../../../src/schema/config/config.ts";

/** The proof of the work asks for runs and questions of its own; tests of other things leave it off. */
export const withoutProof = {
  census: "off",
  originals: "off",
  controls: "off",
  red_first: "off",
  witness: "off",
};

/** A valid configuration; `more` adds or replaces top-level keys. */
export const configWith = (more: object): Config =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [{ name: "test", cmd: "true" }] },
    git: { base_branch: "main" },
    proof: withoutProof,
    ...more,
  });

/** The same settings for every role a session calls. */
export const everyRole = (settings: object) => ({
  implementation: settings,
  test_writing: settings,
  review: settings,
});
