import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type CommandPlace, runCommand } from "../support/project/command.ts";
import type { Ended } from "../support/project/project.ts";
import { createTestFolder } from "../support/project/system.ts";

/** A folder without a repository: the command reports the problem before it calls git. */
export interface BadPlace extends AsyncDisposable {
  root: string;
  ralph: (args: string[], place?: Partial<CommandPlace>) => Promise<Ended>;
}

export const config = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
gates:
  full:
    - { name: test, cmd: npm test }
git: { base_branch: main }
`;
export const taskList = (more: object = {}) => ({
  id: "T-001",
  title: "A task",
  description: "What and why",
  acceptanceCriteria: ["It works"],
  priority: 1,
  passes: false,
  ...more,
});
export const prd = (tasks: unknown = [taskList()], more: object = {}) =>
  JSON.stringify({ project: "Example", description: "An example", ...more, tasks }, null, 2);

export async function createBadPlace(files: Record<string, string | Buffer>): Promise<BadPlace> {
  const folder = await createTestFolder();
  const root = join(folder.path, "project");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const { PATH } = process.env;
  const env = { PATH, HOME: folder.path, RALPH_STATE_DIR: join(folder.path, "state") };
  return {
    root,
    ralph: (args, place) => runCommand({ cwd: root, env, ...place }, args),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Kind and digest of everything below a folder, without the git directory. */
export const snapshot = (root: string): string[] =>
  readdirSync(root, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(root, ".git/")))
    .map((path) => `${path} ${contentOf(path)}`)
    .sort();

function contentOf(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  if (!stat.isFile()) return stat.isDirectory() ? "folder" : "special";
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** A stack trace, which no message may contain. */
export const stackTrace = /^\s+at .*\.[jt]s:\d+|This is a bug in ralph/m;
