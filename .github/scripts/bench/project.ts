import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Agents, writeAgents } from "./agents.ts";
import { writeText } from "./write-text.ts";

/** A throwaway repository with its agents, its own home and its own state folder. */
export interface Project {
  folder: string;
  root: string;
  agents: Agents;
  tasks: readonly string[];
  env: Record<string, string>;
  /** When the first agent call began, milliseconds since 1970. */
  firstCallAt: () => number;
}

export type Size = { files: number; tasks: number };

type Special = {
  flood?: string;
  parallel?: number;
  /** Names of `compat.emit`. */
  emit?: readonly string[];
  /** Whether the work is proved, as by default; without, only the loop is measured. */
  proof?: boolean;
  /** In the sandbox, with that network of agents and these further hosts; otherwise it is off. */
  sandbox?: { network: "host" | "cage"; allow: readonly string[] } | undefined;
};

const noProof =
  "proof: { census: off, originals: off, controls: off, red_first: off, witness: off }\n";

/**
 * Below `place`, which is removed after the last measurement and not before: a file system may be slow to make files
 * for minutes after it has removed many (ext4 keeps away from their places). `flood`: a shell line that makes the
 * implementation agent print a lot. `parallel`: that many tasks run side by side, and their agents take a second.
 */
export function createProject(
  place: string,
  { files, tasks, flood = "", parallel, emit = [], proof = false, sandbox }: Size & Special,
): Project {
  const folder = mkdtempSync(join(place, "project-"));
  const root = join(folder, "project");
  const agents = writeAgents(join(folder, "agents"), {
    flood,
    onCall: parallel === undefined ? "" : "sleep 1\n",
    files: parallel === undefined ? "ten" : "own",
  });
  const ids = taskIds(tasks);
  mkdirSync(root);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: join(folder, "home"),
    RALPH_STATE_DIR: join(folder, "state"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  writeText(join(env.HOME, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  importFiles({ root, env }, [
    ...sourceFiles(files),
    ...projectFiles({ agents, ids, parallel, emit, proof, sandbox: sandboxOf(sandbox, folder) }),
  ]);
  return {
    folder,
    root,
    agents,
    tasks: ids,
    env,
    firstCallAt: () => statSync(join(folder, "agents/started")).mtimeMs,
  };
}

export const taskIds = (count: number) =>
  Array.from({ length: count }, (_, index) => `T-${String(index + 1).padStart(3, "0")}`);

type NewFile = { path: string; text: string };

/** One commit by fast-import: seconds less than adding thousands of files. */
function importFiles({ root, env }: Pick<Project, "root" | "env">, files: readonly NewFile[]) {
  const git = (args: string[], input = "") =>
    execFileSync("git", args, { cwd: root, env, input, stdio: ["pipe", "ignore", "inherit"] });
  const blob = ({ path, text }: NewFile) =>
    `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const head =
    "commit refs/heads/main\ncommitter Ada <ada@example.org> 1760000000 +0000\ndata 5\nstart\n";
  git(["init", "-q", "-b", "main"]);
  git(["fast-import", "--quiet"], head + files.map(blob).join(""));
  git(["reset", "-q", "--hard"]);
}

/** About 1 KB each, a hundred in a folder. */
const sourceFiles = (count: number): NewFile[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `src/part-${Math.floor(index / 100)}/file-${index}.txt`,
    text: Array.from({ length: 40 }, (_, line) => `line ${line} of file ${index}\n`).join(""),
  }));

type Content = {
  agents: Agents;
  ids: readonly string[];
  parallel: number | undefined;
  emit: readonly string[];
  proof: boolean;
  sandbox: object;
};

/** Agents write into the folder of their scripts. */
const sandboxOf = (sandbox: Special["sandbox"], folder: string) =>
  sandbox
    ? {
        mode: "required",
        network: { mode: sandbox.network, allow: sandbox.allow },
        writable: [join(folder, "agents")],
      }
    : { mode: "off" };

function projectFiles({ agents, ids, parallel, emit, proof, sandbox }: Content): NewFile[] {
  const numbered = Array.from({ length: 10 }, (_, digit) => digit);
  return [
    ...["work", "tests"].flatMap((folder) =>
      numbered.map((digit) => ({ path: `${folder}/${digit}.txt`, text: "nothing yet\n" })),
    ),
    {
      path: ".ralph/ralph.yml",
      text: renderConfig(agents, { parallel: parallel ?? 1, emit, proof, sandbox }),
    },
    { path: ".ralph/prd.json", text: renderTasks(ids, parallel !== undefined) },
  ];
}

function renderConfig(
  agents: Agents,
  { parallel, emit, proof, sandbox }: Omit<Content, "agents" | "ids"> & { parallel: number },
): string {
  const roles = Object.entries(agents).map(
    ([role, script]) => `  ${role}: { driver: command, command: sh, args: ["${script}"] }\n`,
  );
  return `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates: { full: [{ name: check, cmd: "true" }] }
sandbox: ${JSON.stringify(sandbox)}
${proof ? "" : noProof}limits: { parallel: ${parallel} }
compat: { emit: [${emit.join(", ")}] }
agents:\n${roles.join("")}`;
}

function renderTasks(ids: readonly string[], areIndependent: boolean): string {
  const tasks = ids.map((id, index) => ({
    id,
    title: `Do the work of ${id}`,
    description: "A task as people write it: what is wanted, why, and where it belongs.",
    acceptanceCriteria: ["The work file names the task", "Nothing else has changed"],
    priority: areIndependent ? 1 : index + 1,
    passes: false,
    notes: "",
  }));
  const list = { project: "Bench", branchName: "ralph/bench", description: "Measured work", tasks };
  return `${JSON.stringify(list, null, 2)}\n`;
}
