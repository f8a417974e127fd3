import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canFlushAtOnce } from "../../src/git/repository/flush-objects.ts";
import { task } from "../support/builders/session.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createProject, type Project } from "../support/project/project.ts";

/** What the kernel was asked for, in order; paths from the project's folder. */
type Call = { name: string; path: string; line: string };

const object = /objects\/..\/tmp_obj/;
const evidence = /\/evidence\/[0-9a-f]{64}/;
const ref = /refs\/heads\/ralph\/example/;

describe.skipIf(!hasProgram("strace", ["-V"]))("seen from the kernel", () => {
  test("all that a pass relies on is flushed before its line, and all of its commit before the branch moves (F07)", async () => {
    await using project = await createProject({ tasks: [task("T-001")] });
    const atOnce = canFlushAtOnce({ commonDir: join(project.root, ".git") });
    const calls = await traceRun(project);
    const pass = calls.findIndex(isLine("task_passed"));
    const flushed = calls.findIndex((call, index) => index > pass && isFlush(call));
    const moved = calls.findLastIndex((call) => call.name === "rename" && ref.test(call.line));
    const committed = calls.findIndex(isLine("task_committed"));

    const proved = calls.slice(0, pass);
    expect(count(proved, "openat", object)).toBeGreaterThan(4);
    expect(hasLostObjects(proved, atOnce)).toBe(false);
    expect(count(proved, "rename", evidence)).toBeGreaterThan(4);
    expect(count(proved, "fsync", evidence)).toBe(count(proved, "rename", evidence));
    expect(count(proved, "fsync", /\/evidence$/)).toBe(1);
    expect(calls[flushed]?.path).toMatch(/journal\.jsonl$/);
    expect(count(calls.slice(pass, flushed), "openat", /\.git\//)).toBe(0);

    const made = calls.slice(0, moved);
    expect(hasLostObjects(made, atOnce)).toBe(false);
    expect(count(calls.slice(pass, moved), "fsync", /example\.lock$/)).toBe(1);
    expect(flushed).toBeLessThan(moved);
    expect(moved).toBeLessThan(committed);
  });
});

const isFlush = ({ name }: Call) => name.endsWith("sync");

const isLine =
  (type: string) =>
  ({ name, line }: Call) =>
    name === "write" && line.includes(`\\"type\\":\\"${type}\\"`);

/** Flushes by the path of what is flushed, everything else by all its arguments. */
const count = (calls: readonly Call[], name: string, pattern: RegExp) =>
  calls.filter((call) => call.name === name && pattern.test(isFlush(call) ? call.path : call.line))
    .length;

/** Each object has its own flush; where changes keep their order, one after the last object is enough. */
function hasLostObjects(calls: readonly Call[], atOnce: boolean): boolean {
  if (!atOnce) return count(calls, "fsync", object) < count(calls, "openat", object);
  const last = calls.findLastIndex(({ name, line }) => name === "openat" && object.test(line));
  return count(calls.slice(last), "fsync", /\.git\/(?:objects|refs)\//) === 0;
}

async function traceRun({ system, folder, root }: Project): Promise<Call[]> {
  const log = join(folder, "trace");
  const traced = "trace=fsync,fdatasync,write,rename,openat";
  const child = new URL("../support/crash/child.ts", import.meta.url).pathname;
  const { exitCode, stderr } = await system.ask({
    file: "strace",
    args: [
      ...["-f", "-qq", "-y", "-s", "250", "-e", traced, "-o", log],
      ...[process.execPath, child, "{}", "run"],
    ],
    cwd: root,
    env: system.env,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return readFileSync(log, "utf8").split("\n").flatMap(parseCall);
}

/** Calls that failed, and the second halves of those that took long, are left out. */
function parseCall(line: string): Call[] {
  const [, name = "", path = ""] = /^\d+ +(\w+)\((?:\d+<([^>]*)>)?/.exec(line) ?? [];
  const isMade = !/openat/.test(name) || /O_CREAT/.test(line);
  return name === "" || !isMade || / = -1 E/.test(line) ? [] : [{ name, path, line }];
}
