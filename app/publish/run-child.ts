import { fileURLToPath } from "node:url";
import { createScratchName, sweepTemporaryFiles } from "../../src/platform/fs/temporary-file.ts";
import type { Environment, SupervisedEnd, System } from "../../src/platform/system.ts";
import {
  type ChildRequest,
  type ChildResult,
  readChildResult,
  reportFile,
} from "../jobs/publication.ts";

/** `broken`: the child did not finish, because of its limits or a bug. */
export type ChildEnd =
  | (Extract<ChildResult, { kind: "published" }> & {
      /** HTML; undefined without a session. */
      report?: string | undefined;
    })
  | Extract<ChildResult, { kind: "refused" }>
  | { kind: "broken"; message: string }
  | { kind: "cancelled" };

export interface ChildParts {
  system: Pick<System, "supervise" | "files" | "env">;
  /** Absolute; each child gets a folder of its own in it. */
  folder: string;
  log: (line: string) => void;
  /** Ends the child. */
  signal?: AbortSignal;
}

/** The resources a bundle may use; each limit is far above the needs of a genuine one. */
export interface ChildLimits {
  timeoutMs: number;
  heapMiB: number;
  /** Total memory of one process, and the largest file it may write. */
  memoryMiB: number;
  fileMiB: number;
}

const defaults: ChildLimits = {
  timeoutMs: 20 * 60_000,
  heapMiB: 768,
  memoryMiB: 3072,
  fileMiB: 4096,
};

/** A report has 2 MB at most. */
const maxReportBytes = 2_200_000;

const program = fileURLToPath(new URL("./child.ts", import.meta.url));

/** In the shell's units: KiB of data, blocks of 512 bytes. */
const limited = 'ulimit -d "$1"; ulimit -f "$2"; shift 2; exec "$@"';

/**
 * Publishes in a child process, so that a hostile bundle can only break the child: memory, time and file sizes are limited,
 * it writes into one folder only, and that folder is removed afterwards (T45, T57). No two attempts share one: an attempt
 * that was given up may end, and remove its folder, while the next one works.
 */
export async function publishInChild(
  { system, folder: parent, log, signal }: ChildParts,
  wanted: Omit<ChildRequest, "folder">,
  limits: Partial<ChildLimits> = {},
): Promise<ChildEnd> {
  const { timeoutMs, heapMiB, memoryMiB, fileMiB } = { ...defaults, ...limits };
  const beside = system.files(parent);
  // Children that were killed with the App have left theirs.
  await sweepTemporaryFiles(beside, ".");
  const name = createScratchName();
  await beside.makeFolder(name);
  const folder = `${parent}/${name}`;
  const request: ChildRequest = { ...wanted, folder };
  try {
    const bounds = [String(memoryMiB * 1024), String(fileMiB * 2048)];
    const { end, stdout } = await system.supervise({
      file: "sh",
      args: ["-c", limited, "sh", ...bounds, process.execPath, ...flagsFor(folder, heapMiB)],
      cwd: folder,
      env: environmentFor(system.env, folder),
      input: JSON.stringify(request),
      timeoutMs,
      ...(signal && { signal }),
    });
    const result = judge(end, stdout, log);
    if (result.kind !== "published") return result;
    const page = await beside.read(`${name}/${reportFile}`, { maxBytes: maxReportBytes });
    return { ...result, report: page?.toString() };
  } finally {
    await beside.remove(name);
  }
}

function flagsFor(folder: string, heapMiB: number): string[] {
  const rights = ["--permission", "--allow-fs-read=*", `--allow-fs-write=${folder}/`];
  return [`--max-old-space-size=${heapMiB}`, ...rights, "--allow-child-process", program];
}

/** The variables for network access; the child inherits no others but PATH. */
const network =
  /^(?:(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO|NODE_(?:EXTRA_CA_CERTS|USE_ENV_PROXY))$/i;

function environmentFor(env: Environment, folder: string): Environment {
  const kept = Object.entries(env).filter(([name]) => network.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: env.PATH,
    HOME: folder,
    TMPDIR: folder,
    RALPH_STATE_DIR: `${folder}/state`,
  };
}

function judge(end: SupervisedEnd, stdout: string, log: (line: string) => void): ChildEnd {
  if (end.kind === "cancelled") return end;
  const result = end.kind === "exited" && end.code === 0 ? readChildResult(stdout) : undefined;
  const lines = stdout.trimEnd().split("\n");
  for (const line of result ? lines.slice(0, -1) : lines) if (line !== "") log(line);
  return result ?? { kind: "broken", message: `Publishing ${describe(end)}.` };
}

function describe(end: Exclude<SupervisedEnd, { kind: "cancelled" }>): string {
  switch (end.kind) {
    case "timed-out":
    case "idle":
      return "took too long and was stopped";
    case "killed":
      return `was ended by ${end.signal}: the session needs too much memory`;
    case "over-limit":
      return end.message;
    case "exited":
      return `ended with code ${end.code}: the session is broken or too large`;
    case "not-started":
      return `could not be started (${end.code})`;
  }
}
