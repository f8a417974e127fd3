import { join } from "node:path/posix";
import { RalphError } from "../error.ts";
import type { Repository } from "../git/repository/repository.ts";
import { gitFailed } from "../git/repository/run-git.ts";
import { commitOf } from "../git/trees/objects.ts";
import type { System } from "../platform/system.ts";
import { writtenAgents } from "../schema/config/agents.ts";
import { type Config, configFile } from "../schema/config/config.ts";
import type { PreparedTask } from "./hidden-files.ts";

/** Gives the copy the commit and its past, and nothing that came after it. */
const copyScript = `
git init -q --template= --initial-branch=main "$2"
printf '%s\\n' "$3" | git --git-dir="$1" pack-objects -q --revs --stdout | git -C "$2" index-pack --stdin >/dev/null
git -C "$2" update-ref refs/heads/main "$3"
git -C "$2" reset -q --hard
`;

const commitScript = `
git -C "$1" add -f .ralph
git -C "$1" -c user.name=ralph -c user.email=ralph@users.noreply.github.com commit -q -m 'chore: a task to evaluate'
`;

/** A repository in `folder` on which agents start: the task's commit, with a configuration and a list of this one task. */
export async function makeCopy(
  system: System,
  source: { repo: Repository; config: Config },
  { task, folder }: { task: PreparedTask; folder: string },
): Promise<string> {
  const { repo } = source;
  const commit = await commitOf(repo, task.start);
  if (commit === undefined) {
    throw new RalphError("source", {
      message: `${task.name} starts on ${task.start}, which is no commit of this repository.`,
      remedy: "Name a commit that is here; a shallow clone has only the newest.",
    });
  }
  const copy = join(folder, "copy");
  await script(system, copyScript, [repo.commonDir, copy, commit]);
  const root = join(copy, repo.prefix).replace(/\/$/, "");
  const files = system.files(root);
  await files.write(configFile, json(configOf(source.config)));
  await files.write(".ralph/prd.json", json(listOf(task)));
  await script(system, commitScript, [root]);
  return root;
}

/** A minimal environment: settings of the user do not count here. */
async function script({ ask, env }: System, text: string, args: readonly string[]): Promise<void> {
  const answer = await ask({
    file: "bash",
    args: ["-eo", "pipefail", "-c", text, "bash", ...args],
    cwd: "/",
    env: {
      PATH: env.PATH,
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_NO_LAZY_FETCH: "1",
    },
  });
  if (answer.exitCode !== 0) throw gitFailed(["clone"], answer);
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const configOf = (config: Config) => ({
  ...config,
  agents: writtenAgents(config.agents),
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  git: { ...config.git, base_branch: "main" },
});

const listOf = ({ name, task }: PreparedTask) => ({
  project: "Evaluation",
  branchName: "ralph/evaluation",
  description: name.slice(0, 200),
  tasks: [{ id: "T-001", priority: 1, passes: false, ...task }],
});
