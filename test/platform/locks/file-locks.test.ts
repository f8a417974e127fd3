import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { takeLocks } from "../../../src/platform/locks/file-locks.ts";
import { readProcesses } from "../../../src/platform/process/process-table.ts";
import { sampled, thorough } from "../../setup/sampled.ts";
import { hasProgram, nodeCommand, sourceUrl } from "../../support/project/programs.ts";
import { createTestFolder } from "../../support/project/system.ts";

/** Takes locks, says how that went, and keeps them until it is killed; its detached child lives on. */
const holder = `
  import { takeLocks } from ${JSON.stringify(sourceUrl("platform/locks/file-locks.ts"))};
  import { spawn } from "node:child_process";
  const [waitMs, ...paths] = process.argv.slice(1);
  const wanted = takeLocks(paths, Number(waitMs));
  const child = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  console.log(JSON.stringify({ pid: child.pid }));
  const { kind, mechanism, index } = await wanted;
  console.log(JSON.stringify({ kind, mechanism, index }));
  setInterval(() => wanted, 1000);`;

type Said = { kind: string; mechanism?: string; index?: number };

async function startHolder(
  paths: readonly string[],
  { waitMs = 0, env = process.env }: { waitMs?: number; env?: NodeJS.ProcessEnv } = {},
) {
  const { file, args } = nodeCommand(holder);
  const all = [...args, String(waitMs), ...paths];
  const child = spawn(file, all, { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = once(child, "exit");
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Said>();
  child.stdout.on("data", (chunk) => {
    lines.push(...String(chunk).trim().split("\n"));
    if (lines[1] !== undefined) resolve(JSON.parse(lines[1]) as Said);
  });
  // One that cannot even start says nothing.
  await Promise.race([once(child.stdout, "data"), ended]);
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return {
    said: promise,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      process.kill((JSON.parse(lines[0] ?? "{}") as { pid: number }).pid, "SIGKILL");
    },
  };
}

async function release(taken: Awaited<ReturnType<typeof takeLocks>>): Promise<void> {
  if (taken.kind === "taken") await taken.release();
}

/** A folder with the programs of that name and nothing else. */
function onlyPrograms(folder: string, names: readonly string[]): NodeJS.ProcessEnv {
  const bin = join(folder, `bin-${names.join("-")}`);
  mkdirSync(bin);
  for (const name of names) {
    const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`]);
    symlinkSync(stdout.toString().trim(), join(bin, name));
  }
  return { PATH: bin };
}

function script(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Each way to take locks, as the environment in which it is the best one. */
const ways = [
  { name: "a lock program", programs: ["perl"], mechanism: "flock" },
  { name: "flock(1)", programs: ["sh", "flock"], mechanism: "flock" },
  { name: "exclusive files", programs: [], mechanism: "exclusive-file" },
].filter(({ programs }) =>
  programs.every((file) => hasProgram(file, file === "sh" ? ["-c", ":"] : undefined)),
);

describe.each(sampled(ways, 2))("by $name", ({ programs, mechanism }) => {
  test("all are held or none, a killed holder frees them at once, and children do not keep them (F13, F14, F16)", async () => {
    await using folder = await createTestFolder();
    const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
    const env = onlyPrograms(folder.path, programs);
    await using first = await startHolder([b], { env });
    expect(await first.said).toEqual({ kind: "taken", mechanism });
    await using second = await startHolder([a, b], { env, waitMs: 50 });
    expect(await second.said).toEqual({ kind: "held", index: 1 });
    await using third = await startHolder([a], { env });
    expect(await third.said).toMatchObject({ kind: "taken" });
    await first.kill();
    await using fourth = await startHolder([b], { env, waitMs: 1_000_000 });
    expect(await fourth.said).toEqual({ kind: "taken", mechanism });
  });

  thorough("who is killed while it waits lets go of what it has", async () => {
    await using folder = await createTestFolder();
    const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
    const env = onlyPrograms(folder.path, programs);
    await using first = await startHolder([b], { env });
    await first.said;
    await using waiting = await startHolder([a, b], { env, waitMs: 1_000_000 });
    // It has the first by then.
    await sleep(200);
    await waiting.kill();
    await using next = await startHolder([a], { env, waitMs: 1_000_000 });
    expect(await next.said).toEqual({ kind: "taken", mechanism });
  });
});

describe.skipIf(!hasProgram("flock"))("beside flock(1)", () => {
  test("a lock that was removed while it was held is not the one that is taken", async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, "lock");
    const other = spawn("flock", [path, "sh", "-c", "echo; read _"]);
    await once(other.stdout, "data");
    const waiting = takeLocks([path], 10_000);
    rmSync(path);
    const taken = await waiting;
    expect(taken.kind).toBe("taken");
    const tried = spawnSync("flock", ["-n", path, "true"]);
    expect(tried.status).toBe(1);
    await release(taken);
    other.stdin.end("\n");
    await once(other, "exit");
  });

  test("a process that has waited long enough learns which lock it is", async () => {
    await using folder = await createTestFolder();
    const paths = ["a", "b"].map((name) => join(folder.path, name));
    const other = spawn("flock", [paths[1] ?? "", "sh", "-c", "echo; read _"]);
    await once(other.stdout, "data");
    expect(await takeLocks(paths, 100)).toEqual({ kind: "held", index: 1 });
    const first = await takeLocks(paths.slice(0, 1), 0);
    expect(first.kind).toBe("taken");
    await release(first);
    other.stdin.end("\n");
    await once(other, "exit");
  });
});

test.skipIf(!hasProgram("perl") || readProcesses().length === 0)(
  "a lock program that was ended from outside is started again",
  async () => {
    await using folder = await createTestFolder();
    const paths = [join(folder.path, "lock")];
    await release(await takeLocks(paths, 0));
    const programs = readProcesses().filter(
      ({ pid, parent }) => parent === process.pid && isPerl(pid),
    );
    expect(programs).toHaveLength(1);
    for (const { pid } of programs) process.kill(pid, "SIGKILL");
    const taken = await takeLocks(paths, 0);
    expect(taken).toMatchObject({ kind: "taken", mechanism: "flock" });
    await release(taken);
  },
);

const isPerl = (pid: number) => readFileSync(`/proc/${pid}/comm`, "utf8") === "perl\n";

test("a file system without flock is reported by its replacement (F16)", async () => {
  await using folder = await createTestFolder();
  const bin = join(folder.path, "bin");
  mkdirSync(bin);
  script(bin, "perl", "while read -r _; do echo 'failed 0'; done");
  script(bin, "flock", "echo 'flock: 3: Function not implemented' >&2; exit 71");
  symlinkSync("/bin/sh", join(bin, "sh"));
  await using held = await startHolder([join(folder.path, "lock")], { env: { PATH: bin } });
  expect(await held.said).toEqual({ kind: "taken", mechanism: "exclusive-file" });
});
