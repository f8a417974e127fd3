import { describe, expect, test } from "vitest";
import { supervise } from "../../../src/platform/process/supervise.ts";
import type { SupervisedCommand } from "../../../src/platform/system.ts";

type Options = Partial<Omit<SupervisedCommand, "file" | "args">>;

const run = async (script: string, options: Options = {}) =>
  await supervise({ ...shell(script), ...options });

function shell(script: string): SupervisedCommand {
  const { PATH } = process.env;
  return { file: "sh", args: ["-c", script], cwd: "/", env: { PATH }, timeoutMs: 20_000 };
}

describe("how a call ends", () => {
  test.for([
    ["exit 0", { kind: "exited", code: 0 }],
    ["exit 3", { kind: "exited", code: 3 }],
    ["exit 126", { kind: "exited", code: 126 }],
    ["no-such-program", { kind: "exited", code: 127 }],
    ["kill -9 $$", { kind: "killed", signal: "SIGKILL" }],
  ] as const)("`%s` is %j", async ([script, end]) => {
    expect((await run(script)).end).toEqual(end);
  });

  test.for([
    ["/no/such/program", "/", "ENOENT"],
    ["/etc/passwd", "/", "EACCES"],
    ["sh", "/no/such/folder", "ENOENT"],
  ])("%s in %s is not started", async ([file = "", cwd = "", code]) => {
    const { end, stdout, lingering } = await supervise({ ...shell(""), file, cwd });
    expect(end).toMatchObject({ kind: "not-started", code });
    expect([stdout, lingering]).toEqual(["", 0]);
  });

  test("an environment too large for the system is not started", async () => {
    const { end } = await run("true", { env: { LARGE: "x".repeat(10_000_000) } });
    expect(end).toMatchObject({ kind: "not-started", code: "E2BIG" });
  });

  // On a busy machine a program may be silent because it waits for a processor.
  test("time and silence are distinguished, and the output is kept", { retry: 5 }, async () => {
    const [timedOut, idle] = await Promise.all([
      run("while :; do echo tick; sleep 0.05; done", { timeoutMs: 600, idleMs: 500 }),
      run("echo once; echo err >&2; sleep 1000", { timeoutMs: 1_000_000, idleMs: 500 }),
    ]);
    expect(timedOut.end).toEqual({ kind: "timed-out" });
    expect(timedOut.stdout).toMatch(/^(tick\n)+$/);
    expect(idle).toMatchObject({ end: { kind: "idle" }, stdout: "once\n", stderr: "err\n" });
    expect(idle.ms).toBeGreaterThanOrEqual(500);
  });

  test("output on stderr alone is no silence", { retry: 5 }, async () => {
    const script = "for i in 1 2 3 4 5 6 7; do echo busy >&2; sleep 0.1; done";
    expect((await run(script, { idleMs: 500 })).end).toEqual({ kind: "exited", code: 0 });
  });

  test("a time limit beyond what a timer can hold does not end the call at once", async () => {
    const { end } = await run("sleep 0.05", { timeoutMs: 2 ** 40 });
    expect(end).toEqual({ kind: "exited", code: 0 });
  });

  test("a program that is cancelled before it starts does not start", async () => {
    const { end, stdout } = await run("echo started", { signal: AbortSignal.abort() });
    expect([end, stdout]).toEqual([{ kind: "cancelled" }, ""]);
  });
});

describe("input and output", () => {
  test("input arrives, and its end is seen", async () => {
    const input = "line\n".repeat(100_000);
    expect((await run("wc -c", { input })).stdout.trim()).toBe(String(input.length));
  });

  test("a program that ends without reading its input is no error (EPIPE)", async () => {
    const { end } = await run("exit 4", { input: "x".repeat(5_000_000) });
    expect(end).toEqual({ kind: "exited", code: 4 });
  });

  test("only the given environment and our mark are seen", async () => {
    const { stdout } = await run("env", { env: { PATH: "/usr/bin:/bin", GIVEN: "1" } });
    const names = stdout.split("\n").map((line) => line.split("=")[0]);
    expect(names.filter((name) => name && !/^(PWD|SHLVL|_|OLDPWD)$/.test(name)).sort()).toEqual([
      "GIVEN",
      "PATH",
      "RALPH_CALL",
    ]);
  });

  test("every chunk of stdout is shown as it comes", async () => {
    const chunks: string[] = [];
    const onOutput = (chunk: Buffer) => void chunks.push(chunk.toString());
    await run("echo a; sleep 0.1; echo b; echo hidden >&2", { onOutput });
    expect(chunks).toEqual(["a\n", "b\n"]);
  });

  test.for([
    ["a million lines", "yes 0123456789 | head -n 1000000", 11_000_000],
    ["one endless line", "head -c 300000000 /dev/zero", 300_000_000],
  ] as const)("%s leave head and tail, and memory stays flat (F28)", async ([, script, bytes]) => {
    const before = process.memoryUsage.rss();
    const result = await run(script, { keepBytes: 100_000 });
    expect(result.stdoutBytes).toBe(bytes);
    expect(result.stdout).toHaveLength(
      200_000 + `\n[... ${bytes - 200_000} bytes left out ...]\n`.length,
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
  });
});
