import { describe, expect, test } from "vitest";
import { type GateDeps, runGate } from "../../src/gates/gates.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createTestSystem } from "../support/project/system.ts";
import { gateDeps, writeTree } from "./shell-deps.ts";

/** Runs one command as a gate in a folder of its own. */
async function run(
  cmd: string,
  {
    deps = {},
    ...rules
  }: { deps?: Partial<GateDeps>; when?: string; timeout_seconds?: number } = {},
) {
  await using system = await createTestSystem();
  return await runGate(await gateDeps(system, deps), { cmd, timeout_seconds: 20, ...rules });
}

test("a gate that exits with 0 has passed and says nothing", async () => {
  const result = await run("echo fine");
  expect(result).toMatchObject({ status: "passed", detail: "", fingerprints: [], outputBytes: 5 });
  expect(result.output).toBe("fine\n");
});

test("a failing gate shows both streams in order, and names its failures", async () => {
  const result = await run(
    "echo one; echo 'src/a.ts(1,2): error TS1005: x' >&2; echo three; exit 3",
  );
  expect(result.status).toBe("failed");
  expect(result.detail).toBe("exit code 3\none\nsrc/a.ts(1,2): error TS1005: x\nthree");
  expect(result.fingerprints).toEqual(["src/a.ts: TS1005: x"]);
});

test("paths of the project are named below its root, wherever that is", async () => {
  const { fingerprints } = await run('echo "$PWD/src/a.py:3: error: bad"; exit 1');
  expect(fingerprints).toEqual(["src/a.py: bad"]);
});

test("details name files of the user's home below ~", async () => {
  await using system = await createTestSystem();
  const HOME = "/home/ada";
  const deps = await gateDeps(system, { env: { ...system.env, HOME } });
  const cmd = 'echo "--> $HOME/.cargo/registry/src/lib.rs:10:5, /usr/lib/x.h"; exit 1';
  const { detail } = await runGate(deps, { cmd, timeout_seconds: 20 });
  expect(detail).toBe("exit code 1\n--> ~/.cargo/registry/src/lib.rs:10:5, /usr/lib/x.h");
});

test("details name no folder of this machine", async () => {
  const { detail } = await run('echo "$PWD/a.c:1: error: in $PWD, beside $PWD-2"; exit 1');
  expect(detail).toMatch(/^exit code 1\na\.c:1: error: in \., beside \/.*-2$/);
});

test.runIf(hasProgram("bash"))("a pipe fails with its first part", async () => {
  expect((await run("false | cat")).status).toBe("failed");
});

test.each([
  ["a program that is missing", "no-such-program-here", /^exit code 127\n.*no-such-program-here/s],
  ["a file that cannot be run", "/etc", /^exit code 126\n/],
  ["a script that says so itself", "exit 127", /^exit code 127$/],
])("%s is not a failing test", async (_, cmd, detail) => {
  const result = await run(cmd);
  expect(result).toMatchObject({ status: "not_started", fingerprints: [] });
  expect(result.detail).toMatch(detail);
});

test("a missing shell is reported", async () => {
  const result = await run("true", { deps: { shell: { file: "no-such-shell", args: ["-c"] } } });
  expect(result.status).toBe("not_started");
  expect(result.detail).toMatch(/^could not be started: /);
});

test("a sandbox that cannot start is not a failing test", async () => {
  const wrap = () => ({ file: "sh", args: ["-c", "echo 'bwrap: No permission' >&2; exit 1"] });
  const result = await run("true", { deps: { wrap } });
  expect(result).toMatchObject({ status: "not_started" });
  expect(result.detail).toMatch(/^could not be started: No permission/);
});

test("a gate that ends by a signal has failed", async () => {
  expect((await run("kill -9 $$")).detail).toBe("ended by SIGKILL");
});

test("a gate that hangs is ended with children that ignore the request", async () => {
  const stubborn = "(trap '' TERM; sleep 1000) & trap '' TERM; echo begun; sleep 1000; sleep 1000";
  const result = await run(stubborn, { timeout_seconds: 0.3 });
  expect(result).toMatchObject({ status: "timed_out", fingerprints: [] });
  expect(result.detail).toBe("not finished after 0.3 s\nbegun");
});

test("a cancelled session starts no gate", async () => {
  const result = await run("true", { deps: { signal: AbortSignal.abort() } });
  expect(result).toMatchObject({ status: "not_started", detail: "cancelled" });
});

test("secrets are redacted everywhere", async () => {
  const result = await run("echo 'a.py:1: error: secret'; exit 1");
  expect(JSON.stringify(result)).not.toContain("secret");
  expect(result.fingerprints).toEqual(["a.py: ***"]);
});

test("a flood is bounded, counted and not compared", async () => {
  const flood = "yes 'a.py:1: error: x' | head -c 6000000; exit 1";
  const result = await run(flood);
  expect(result.outputBytes).toBe(6_000_000);
  expect(result.output.length).toBeLessThan(4.3e6);
  expect(Buffer.byteLength(result.detail)).toBeLessThan(8300);
  expect(result.fingerprints).toEqual([]);
});

test("a gate sees the given environment and the project root only", async () => {
  await using system = await createTestSystem({ env: { LANG: "C" } });
  const deps = await gateDeps(system);
  const result = await runGate(deps, { cmd: "pwd; env", timeout_seconds: 20 });
  const lines = result.output.trim().split("\n");
  expect(lines[0]).toBe(system.root);
  const own = lines.slice(1).map((line) => line.slice(0, line.indexOf("=")));
  const ofShell = ["PWD", "SHLVL", "_", "RALPH_CALL"];
  expect(own.filter((name) => !ofShell.includes(name)).sort()).toEqual(["HOME", "LANG", "PATH"]);
});

describe("a condition", () => {
  const paths = async () => ["package.json", "frontend/src/a.ts", ".config/x.yml"];
  test.each([
    ["package.json", "passed"],
    ["./package.json", "passed"],
    ["frontend", "passed"],
    ["frontend/", "passed"],
    ["**/*.ts", "passed"],
    ["*.json", "passed"],
    [".config/*", "passed"],
    ["front", "skipped"],
    ["pyproject.toml", "skipped"],
    ["*.ts", "skipped"],
    ["node_modules", "skipped"],
  ])("%s: %s", async (when, status) => {
    expect((await run("true", { when, deps: { paths } })).status).toBe(status);
  });

  test("says what is missing when it skips", async () => {
    const { detail } = await run("false", { when: "pyproject.toml" });
    expect(detail).toBe("skipped: nothing matches pyproject.toml");
  });
});

test("the start-up files of the user's shell are not read", async () => {
  await using system = await createTestSystem();
  await writeTree(system.root, { ".bashrc": "exit 7", ".profile": "exit 7" });
  const env = { PATH: system.env.PATH, HOME: system.root };
  const result = await runGate(await gateDeps(system, { env }), {
    cmd: "true",
    timeout_seconds: 20,
  });
  expect(result.status).toBe("passed");
});

test("a gate runs scripts of the project", async () => {
  await using system = await createTestSystem();
  await writeTree(system.root, { "scripts/check.sh": "echo checked > result.txt" });
  const gate = { cmd: "sh scripts/check.sh", timeout_seconds: 20 };
  expect((await runGate(await gateDeps(system), gate)).status).toBe("passed");
  expect(await system.files(system.root).read("result.txt")).toEqual(Buffer.from("checked\n"));
});
