import { expect, test } from "vitest";
import { createTestSystem } from "../../support/project/system.ts";

/** With a variable that shells give a meaning to, so that no kept shell starts the program. */
async function ask(
  [file = "", ...args]: string[],
  options: { input?: string | Buffer; maxBytes?: number } = {},
) {
  await using system = await createTestSystem({ env: { OPTIND: "1", LEFT_OUT: undefined } });
  return await system.ask({ file, args, cwd: system.root, env: system.env, ...options });
}

test("a non-zero exit is a result with both outputs", async () => {
  const result = await ask(["sh", "-c", "echo out; echo err >&2; exit 3"]);
  expect(result).toEqual({ exitCode: 3, stdout: Buffer.from("out\n"), stderr: "err\n" });
});

test("bytes arrive and return unchanged", async () => {
  const bytes = Buffer.from([0, 255, 10, 13, 10]);
  expect((await ask(["cat"], { input: bytes })).stdout).toEqual(bytes);
});

test("without input the program sees an end, not a wait", async () => {
  expect((await ask(["cat"])).stdout).toHaveLength(0);
});

test("a program that does not read its input is no error", async () => {
  expect((await ask(["true"], { input: Buffer.alloc(1_000_000) })).exitCode).toBe(0);
});

test("only the given environment is seen", async () => {
  const { stdout } = await ask(["env"]);
  const names = stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]);
  expect(names.sort()).toEqual(["HOME", "OPTIND", "PATH"]);
});

test.for([
  [["no-such-program"], 127, "ENOENT"],
  [["/etc/passwd"], 127, "EACCES"],
  [["sh", "-c", "kill -9 $$"], 137, "SIGKILL"],
] as const)("%j is exit %i and says why", async ([command, exitCode, reason]) => {
  const result = await ask([...command]);
  expect(result.exitCode).toBe(exitCode);
  expect(result.stderr).toContain(reason);
});

test("more output than allowed is a failure, never a silent cut", async () => {
  const result = await ask(["sh", "-c", "head -c 2000 /dev/zero"], { maxBytes: 1000 });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("larger than 1000 bytes");
});

test("the program has a session of its own, out of reach of Ctrl-C", async () => {
  const { stdout } = await ask(["sh", "-c", "echo $$; cut -d' ' -f6 /proc/$$/stat"]);
  const [pid, session] = stdout.toString().trim().split("\n");
  expect(session).toBe(pid);
});
