import { expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { chooseSandbox, remedyFor } from "../../src/sandbox/choose-sandbox.ts";
import type { SandboxProbe } from "../../src/sandbox/self-test.ts";

const works: SandboxProbe = { kind: "works" };
const broken: SandboxProbe = { kind: "broken", reason: "bubblewrap (`bwrap`) is not installed" };

test.for([
  ["off", works, { kind: "off" }],
  ["off", broken, { kind: "off" }],
  ["auto", works, { kind: "bubblewrap" }],
  ["required", works, { kind: "bubblewrap" }],
] as const)("%s, when the sandbox %j, is %j without a word", ([mode, probe, choice]) => {
  expect(chooseSandbox(mode, probe)).toEqual(choice);
});

test("auto continues without a sandbox and says so in one line", () => {
  const { kind, warning } = chooseSandbox("auto", broken);
  expect(kind).toBe("off");
  expect(warning).toMatchInlineSnapshot(
    `"No sandbox: bubblewrap (\`bwrap\`) is not installed. Agents can read what this user can read."`,
  );
});

test.for([
  ["bubblewrap (`bwrap`) is not installed", "sudo apt-get install bubblewrap"],
  [
    "bubblewrap cannot start here: bwrap: setting up uid map: Permission denied",
    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
  [
    "bubblewrap cannot start here: bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
  [
    "bubblewrap cannot start here: bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    "--security-opt systempaths=unconfined",
  ],
  [
    "bubblewrap cannot start here: bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
    "sudo sysctl -w user.max_user_namespaces=15000",
  ],
  ["bubblewrap cannot start here: bwrap: Unknown option --ro-bind-try", "bubblewrap 0.4.1 or"],
  ["/w/.git can be written", "Fix that"],
] as const)("%s: the remedy says %s", ([reason, remedy]) => {
  expect(remedyFor(reason)).toContain(remedy);
});

test("required stops, with exit 1 and the way out", () => {
  const choose = () => chooseSandbox("required", broken);
  expect(choose).toThrow(RalphError);
  expect(choose).toThrow("This run needs the sandbox, but bubblewrap (`bwrap`) is not installed.");
  expect(choose).toThrow(expect.objectContaining({ exitCode: 1 }));
});
