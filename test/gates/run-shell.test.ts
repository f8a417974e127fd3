import { expect, test } from "vitest";
import { describeEnd, findShell, runShell } from "../../src/gates/run-shell.ts";
import { createTestSystem } from "../support/project/system.ts";
import { gateDeps } from "./shell-deps.ts";

test("plain sh is used where there is no bash", async () => {
  await using system = await createTestSystem();
  const place = { root: system.root, env: system.env };
  expect((await findShell(system, place)).file).toBe("bash");
  expect(await findShell(system, { ...place, env: { PATH: "/nowhere" } })).toEqual({
    file: "sh",
    args: ["-c"],
  });
});

test("the command runs inside the sandbox it is wrapped in", async () => {
  await using system = await createTestSystem();
  const wrap = ({ file, args }: { file: string; args: readonly string[] }) => ({
    file: "env",
    args: ["INSIDE=yes", file, ...args],
  });
  const deps = await gateDeps(system, { wrap });
  const { output } = await runShell(deps, { cmd: 'echo "$INSIDE"', timeoutMs: 9000 });
  expect(output).toBe("yes\n");
});

test("a command may begin with anything, and its syntax errors are seen", async () => {
  await using system = await createTestSystem();
  const deps = await gateDeps(system);
  const comment = await runShell(deps, { cmd: "# first\necho second", timeoutMs: 9000 });
  expect(comment.output).toBe("second\n");
  const broken = await runShell(deps, { cmd: "if", timeoutMs: 9000 });
  expect(broken.output).toMatch(/syntax error/i);
  expect(broken.end).toMatchObject({ kind: "exited" });
});

test.each([
  [{ kind: "exited", code: 1 }, "exit code 1"],
  [{ kind: "killed", signal: "SIGKILL" }, "ended by SIGKILL"],
  [{ kind: "timed-out" }, "not finished after 1.5 s"],
  [{ kind: "idle" }, "not finished after 1.5 s"],
  [{ kind: "cancelled" }, "cancelled"],
  [{ kind: "not-started", code: "ENOENT", message: "no bash" }, "could not be started: no bash"],
] as const)("%j is described as %s", (end, text) => expect(describeEnd(end, 1500)).toBe(text));
