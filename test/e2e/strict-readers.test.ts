import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runsAll } from "../setup/sampled.ts";
import { type CrashProject, createCrashTemplate } from "../support/crash/project.ts";
import type { KillPoint } from "../support/crash/system.ts";
import { activeFiles } from "../support/foreign/active-files.ts";
import { recordForeign } from "../support/foreign/recorder.ts";
import { findingsIn } from "../support/foreign/strict-reader.ts";
import { hasProgram } from "../support/project/programs.ts";

/** `../mode` names the scene that T-002 plays. */
const onCall = `
case "$RALPH_ROLE $task $(cat ../mode 2>/dev/null)" in
"review T-002 rejected") printf '<review-rejected session="%s">no</review-rejected>' "$token"; exit 0 ;;
"implementation T-002 idle") printf '<task-done session="%s">\\n## Changes\\n- none\\n</task-done>' "$token"; exit 0 ;;
"implementation T-002 cancelled") kill -INT $PPID; sleep 5 ;;
esac`;

const queue = ".claude/ralph/task-queue-ralph-crash.json";
const lock = ".claude/ralph/task-queue.lock";

const setMode = ({ root }: CrashProject, mode: string) =>
  writeFileSync(join(root, "../mode"), mode);

const randomPoint = (): KillPoint => ({
  at: 1 + Math.floor(Math.random() * 500),
  how: Math.random() < 0.5 ? "before" : "after",
});

/** A run in which T-002 ends in some way, and its resumption without that. */
const scene = (mode: string, code: number) => async (project: CrashProject) => {
  setMode(project, mode);
  const first = await project.ralph(["run"]);
  expect(first.code, first.output).toBe(code);
  setMode(project, "");
  await finish(project);
};

async function finish(project: CrashProject, args = ["run", "--resume"]): Promise<void> {
  const ended = await project.ralph(args);
  if (ended.code !== 2) expect(ended.code, ended.output).toBe(0);
}

async function killed(project: CrashProject): Promise<void> {
  const point = randomPoint();
  writeFileSync(join(project.root, "../killed-at"), `, killed ${point.how} effect ${point.at}`);
  await project.ralph(["run"], { point });
}

/** Where a run was killed, so that a finding can be looked into. */
function killedAt({ root }: CrashProject): string {
  const path = join(root, "../killed-at");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** No file of the killed parts may look like another program's, which would be at work for its lease (exit 24). */
async function killedTwice(project: CrashProject): Promise<void> {
  await killed(project);
  await project.ralph(["run", "--resume"], { point: randomPoint() });
  const next = await project.ralph(["run"]);
  expect([0, 14], next.output).toContain(next.code);
  if (next.code === 14) await finish(project);
}

/** A worker of another program, which takes T-003 under the lock while T-001 or T-002 is worked on. */
async function claimed(project: CrashProject): Promise<void> {
  const running = project.ralph(["run"]);
  while (!existsSync(join(project.root, queue))) await sleep(5);
  const script = `
import json, os, sys
os.rename(sys.argv[2], sys.argv[1])`;
  const found = JSON.parse(readFileSync(join(project.root, queue), "utf8"));
  const entry = found.tasks[2];
  Object.assign(entry, { status: "claimed", claimed_by: "agent-9", claimed_at: found.created_at });
  writeFileSync(join(project.root, "../theirs.json"), JSON.stringify(found));
  await underLock(project, ["python3", "-c", script, queue, "../theirs.json"]);
  const { code, output } = await running;
  expect([code, output]).toEqual([24, expect.stringContaining("agent-9 of another program")]);
  const left = JSON.parse(readFileSync(join(project.root, queue), "utf8"));
  expect(left.tasks[2]).toMatchObject({ claimed_by: "agent-9", status: "claimed" });
}

const underLock = ({ root }: CrashProject, command: readonly string[]) =>
  new Promise((resolve) =>
    spawn("flock", [lock, ...command], { cwd: root, stdio: "ignore" }).once("exit", resolve),
  );

async function starved(project: CrashProject): Promise<void> {
  const running = project.ralph(["run"]);
  while (!existsSync(join(project.root, queue))) await sleep(5);
  await underLock(project, ["sleep", "1.5"]);
  const { code, output } = await running;
  expect(code, output).toBe(0);
}

/** What a run goes through; four of them in a quick test. */
const kinds: Record<string, (project: CrashProject) => Promise<void>> = {
  "is killed and resumed": async (project) => {
    await killed(project);
    await finish(project);
  },
  "is starved of a lock": starved,
  "fails and is resumed": scene("rejected", 3),
  "is shared with another worker": claimed,
  completes: (project) => finish(project, ["run"]),
  "is killed and cancelled": async (project) => {
    await killed(project);
    await project.ralph(["cancel"]);
  },
  "is killed twice and begun again": killedTwice,
  "is blocked and resumed": scene("idle", 3),
  "is cancelled and resumed": scene("cancelled", 7),
};

/** All that a run leaves to complain about; a scene that went another way is a finding too. */
async function play(project: CrashProject, name: string): Promise<string[]> {
  const recording = recordForeign(project.root);
  const other = await kinds[name]?.(project).catch((error: Error) => [error.message]);
  const seen = recording.stop();
  // A run that is killed early leaves nothing to read.
  const isEmpty = seen.length === 0 && !name.includes("killed");
  return [
    ...(other ?? []),
    ...(isEmpty ? ["no file was seen"] : []),
    ...findingsIn(seen),
    ...activeFiles(project.root).map((path) => `${path} is active after the end`),
  ];
}

// 2 runs by default, 16 with the hundred runs of CI, 200 with 1250.
const wanted = Math.max(2, Math.round(Number(process.env.FC_RUNS ?? 0) * 0.16));

test.runIf(hasProgram("flock") && hasProgram("python3") && runsAll)(
  `strict readers of the other tools' formats find nothing in ${wanted} runs`,
  { timeout: wanted * 60_000 },
  async () => {
    await using template = await createCrashTemplate({
      onCall,
      emit: ["omx", "omc", "claude-ralph", "agent-teams"],
    });
    const names = Object.keys(kinds);
    const faults: string[] = [];
    for (let nth = 0; nth < wanted; nth++) {
      const name = names[nth % names.length] ?? "";
      using project = template.copy(`reader-${nth}`);
      rmSync(join(project.root, "../mode"), { force: true });
      const found = await play(project, name);
      faults.push(
        ...found.map((fault) => `run ${nth}, which ${name}${killedAt(project)}: ${fault}`),
      );
    }
    expect(faults).toEqual([]);
  },
);
