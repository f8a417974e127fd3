import type { Shown } from "./attacks.ts";

const lint = "test/action/workflow-lint.test.ts";
const rules = "test/app/rules/rules.test.ts";
const authority = "test/app/rules/authority.test.ts";
const manifest = "test/app/setup/manifest.test.ts";
const files = "test/platform/fs/files.test.ts";
const firewall = "test/github/verify/firewall.test.ts";
const redact = "test/platform/secrets/redact.test.ts";
const install = "test/action/install/install-program.test.ts";

/** `T01` to `T62`. */
export const threats: readonly string[] = Array.from(
  { length: 62 },
  (_, index) => `T${String(index + 1).padStart(2, "0")}`,
);

/** Tests of threats that no goal and no attack needs, or whose titles do not name the threat. */
export const shownThreats: Readonly<Record<string, readonly Shown[]>> = {
  T21: [{ file: "test/text/escape-markdown-rendered.test.ts", title: "no tag, link, image" }],
  T23: [{ file: "test/action/secrets.test.ts", title: "debug logging prints no more" }],
  T24: [
    { file: "test/app/runs/start-verdict.test.ts", title: "the limit of runs per day reached" },
  ],
  T25: [
    { file: "test/app/settings/settings.test.ts", title: "the App does not start with" },
    { file: "test/app/settings/settings.test.ts", title: "a key file that others can read" },
  ],
  T26: [{ file: redact, title: "T26" }],
  T27: [
    { file: authority, title: "bot" },
    { file: "test/app/rules/identify-actor.test.ts", title: "" },
  ],
  T28: [{ file: rules, title: "any value in any field is parsed or refused" }],
  T29: [{ file: authority, title: "user, " }],
  T30: [{ file: lint, title: "no foreign code with our rights" }],
  T31: [{ file: rules, title: "the same event under two ids is one job" }],
  T32: [
    { file: rules, title: "its own comment starts nothing" },
    { file: authority, title: "self, " },
  ],
  T33: [{ file: rules, title: "a quoted command is ignored" }],
  T34: [{ file: rules, title: "any value in any field is parsed or refused" }],
  T35: [{ file: manifest, title: "(T35)" }],
  T36: [{ file: manifest, title: "(T36)" }],
  T38: [{ file: files, title: "(T38)" }],
  T39: [{ file: files, title: "(T39)" }],
  T43: [{ file: "test/e2e/history.test.ts", title: "(T43)" }],
  T44: [{ file: firewall, title: "stops " }],
  T48: [{ file: "test/core/checks/signal.test.ts", title: "" }],
  T52: [{ file: "test/action/inputs/action-yml.test.ts", title: "(T52)" }],
  T53: [{ file: "test/action/print.test.ts", title: "(T53)" }],
  T54: [{ file: "test/action/job/outputs.test.ts", title: "(T54)" }],
  T55: [{ file: "test/views/terminal/prove-text.test.ts", title: "can steer the terminal" }],
  T56: [{ file: lint, title: "no cache where it would be trusted" }],
  T58: [{ file: install, title: "(T58)" }],
  T59: [{ file: install, title: "exactly the version a workflow names" }],
  T62: [{ file: redact, title: "(T62)" }],
};
