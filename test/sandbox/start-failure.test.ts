import { describe, expect, test } from "vitest";
import { supervise } from "../../src/platform/process/supervise.ts";
import { readStartFailure, sandboxCommand } from "../../src/sandbox/profile.ts";
import { createSandboxSetting, hasBubblewrap } from "../support/project/sandbox.ts";

test.for([
  [
    { code: 1, stderr: "bwrap: execvp agent: No such file or directory\n" },
    "execvp agent: No such file or directory",
  ],
  [{ code: 0, stderr: "bwrap: execvp agent: No such file or directory\n" }, undefined],
  [{ code: 1, stderr: "hello\n" }, undefined],
  [{ code: 1, stderr: "bwrap: hello\nand more\n" }, undefined],
  [{ code: 1, stderr: "" }, undefined],
] as const)("%j: %s", ([result, failure]) => {
  expect(readStartFailure(result)).toBe(failure);
});

describe.skipIf(!hasBubblewrap)("with bubblewrap", () => {
  test.for([
    ["/no/such/program", [], "execvp /no/such/program: No such file or directory"],
    [
      "true",
      ["/no/such/folder"],
      "Can't find source path /no/such/folder: No such file or directory",
    ],
  ] as const)("`%s` with %j read-only was not started", async ([file, readOnly, failure]) => {
    await using setting = await createSandboxSetting();
    const command = sandboxCommand({ file, args: [] }, { ...setting.profile, readOnly });
    const env = { PATH: process.env.PATH };
    const { end, stderr } = await supervise({ ...command, env, cwd: "/", timeoutMs: 5000 });
    expect(end).toEqual({ kind: "exited", code: 1 });
    expect(readStartFailure({ code: 1, stderr })).toBe(failure);
  });
});
