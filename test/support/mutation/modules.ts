const checks = "test/core/checks";
const sanitize = ["test/autopilot/sanitize/sanitize.test.ts"];

/** Modules that hold a promise of security (G18), each with the tests that must notice a change of it. */
export const securityModules: Readonly<Record<string, readonly string[]>> = {
  "src/autopilot/sanitize/sanitize.ts": sanitize,
  "src/core/checks/tag.ts": [`${checks}/tag.test.ts`, `${checks}/signal.test.ts`],
  "src/core/checks/protection.ts": [`${checks}/protection.test.ts`],
  "src/platform/fs/location.ts": [
    "test/platform/fs/location.test.ts",
    "test/platform/fs/files.test.ts",
  ],
  "src/sandbox/allowed-hosts.ts": ["test/sandbox/allowed-hosts.test.ts"],
  "app/rules/authority.ts": ["test/app/rules/authority.test.ts"],
};

/** Texts of millions of characters, of which only the time counts: a mutant that is slow is not meant here. */
export const slowTests = "linear time|hostile text";
