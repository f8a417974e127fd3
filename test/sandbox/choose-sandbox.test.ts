import { expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { chooseSandbox } from "../../src/sandbox/choose-sandbox.ts";
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

test("required stops, with exit 1 and the way out", () => {
  const choose = () => chooseSandbox("required", broken);
  expect(choose).toThrow(RalphError);
  expect(choose).toThrow("This run needs the sandbox, but bubblewrap (`bwrap`) is not installed.");
  expect(choose).toThrow(expect.objectContaining({ exitCode: 1 }));
});
