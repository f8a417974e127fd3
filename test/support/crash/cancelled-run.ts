import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isMeasured } from "../../setup/sampled.ts";
import { type CrashProject, type CrashTemplate, createCrashTemplate } from "./project.ts";
import { faultsAfter, sessionFolders } from "./recovery.ts";

const cli = new URL("../../../dist/cli.js", import.meta.url).pathname;

/** What is going on when the signal comes. `../mode` names the scene, which says in `../begun` that it is on. */
const script = `case "$1 $(cat ../mode)" in
"agent hang") touch ../begun; sleep 600 ;;
"agent deaf") trap '' TERM INT HUP; touch ../begun; while :; do sleep 1; done ;;
"agent grandchild") setsid sleep 61 & (setsid sh -c 'sleep 62; :' &) ; touch ../begun; sleep 60 ;;
"agent stopped") touch ../begun; kill -STOP $$ ;;
"agent backoff") touch ../begun; exit 1 ;;
"agent slow") [ "$RALPH_TASK_ID" = T-001 ] || sleep 300 ;;
"gate gate") touch ../begun; sleep 60 ;;
"agent anywhere") touch ../begun; sleep 0.1 ;;
esac
exit 0
`;

export const scenes = [
  "hang",
  "deaf",
  "grandchild",
  "stopped",
  "gate",
  "backoff",
  "anywhere",
] as const;
type Scene = (typeof scenes)[number];

export type Cancellation = {
  scene: Scene;
  signal: "SIGINT" | "SIGTERM";
  /** Between the scene's beginning and the signal. */
  delayMs: number;
  /** Signals in all, 30 ms apart. */
  times: number;
};

/** A template whose agents and gate play the scene of \`setScene\`. */
export async function createCancelTemplate(): Promise<CrashTemplate> {
  const template = await createCrashTemplate({
    onCall: "sh ../../scene.sh agent || exit 1",
    // A baseline runs elsewhere, where no scene is.
    gate: "if [ -e ../../scene.sh ]; then sh ../../scene.sh gate; fi; test ! -e src/broken.txt",
  });
  writeFileSync(join(template.folder, "scene.sh"), script);
  return template;
}

export function setScene({ root }: CrashProject, scene: string): void {
  writeFileSync(join(root, "../mode"), scene);
  rmSync(join(root, "../begun"), { force: true });
}

/** Cancels a run of the built command, and tells everything that is wrong then (F24, F26, G11). */
export async function cancel(
  project: CrashProject,
  { scene, signal, delayMs, times }: Cancellation,
): Promise<string[]> {
  const runner = await startScene(project, scene);
  const ended = once(runner, "exit");
  await sleep(delayMs);
  const began = performance.now();
  for (let sent = 0; sent < times && runner.exitCode === null; sent++) {
    runner.kill(signal);
    if (times > 1) await sleep(30);
  }
  const [code] = await ended;
  const ms = Math.round(performance.now() - began);
  return [
    ...(isMeasured && ms > 2000 ? [`took ${ms} ms`] : []),
    ...(isCancelled(code, times) ? [] : [`ended with ${code}`]),
    ...survivors(project.root).map((line) => `survived: ${line}`),
    ...recordFaults(project),
    ...(await treeFaults(project)),
  ].map((fault) => `${scene}, ${signal} after ${delayMs} ms: ${fault}`);
}

/** One more signal can meet Node's own clean-up, when all is written and nobody listens any more. */
const isCancelled = (code: unknown, times: number) => code === 7 || (code === null && times > 1);

/** Ends the command as an empty battery would. */
export async function kill(project: CrashProject, scene: Scene): Promise<void> {
  const runner = await startScene(project, scene);
  const ended = once(runner, "exit");
  runner.kill("SIGKILL");
  await ended;
}

/** The built command, once the scene is on; `node` starts it instead of the project's own Node. */
export async function startScene(
  project: CrashProject,
  scene: Scene,
  node?: string,
): Promise<ChildProcess> {
  setScene(project, scene);
  const { root: cwd, env } = project;
  // As a runner starts it: a signal goes to this one process.
  const args = node === undefined ? ["-c", 'exec "$0" run', cli] : [cli, "run"];
  const runner = spawn(node ?? "bash", args, { cwd, env, stdio: "ignore", detached: true });
  while (!existsSync(join(cwd, "../begun"))) await sleep(5);
  return runner;
}

/** Whoever works in the project's folder: agents, gates and what they started. */
export function survivors(root: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => (attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? "").startsWith(root))
    .map((pid) => `${pid} ${attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))}`);
}

/** Processes come and go while we look. */
function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function recordFaults({ root, stateDir }: CrashProject): string[] {
  const [folder = ""] = sessionFolders(stateDir);
  const last = readFileSync(join(folder, "journal.jsonl"), "utf8").trim().split("\n").at(-1) ?? "";
  const { type, reason } = JSON.parse(last);
  const { status } = JSON.parse(readFileSync(join(root, ".ralph-session/session.json"), "utf8"));
  return [
    ...(type === "session_end" && reason === "cancelled" ? [] : [`the journal ends with ${last}`]),
    ...(status === "aborted" ? [] : [`session.json says ${status}`]),
  ];
}

async function treeFaults({ git }: CrashProject): Promise<string[]> {
  const status = await git("status", "--porcelain");
  return status === "" ? [] : [`the work tree is not clean: ${status}`];
}

/** Goes on without a scene; everything that is wrong then. */
export async function resumeFaults(project: CrashProject): Promise<string[]> {
  setScene(project, "none");
  return faultsAfter(project, await project.ralph(["run", "--resume"]));
}
