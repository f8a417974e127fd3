import type { Command } from "commander";
import { lockPath } from "../../entry/take-lock.ts";
import { RalphError } from "../../error.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, unfinishedSession } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/session-lock.ts";
import { nearest } from "../../schema/base/nearest.ts";
import { findTaskPath } from "../../session/open/find-task-path.ts";
import { findRoot, locateStore } from "../../session/open/locate-project.ts";
import { configPathOf, readConfig } from "../../sources/config-file.ts";
import { readTaskFile } from "../../sources/task-file.ts";
import { counted } from "../../text/figures.ts";
import { nextAction } from "../../views/summary/outcome.ts";
import type { Action, CommandContext } from "../core/command.ts";

/** `ralph` without a command: shows the next step in this folder. Rejects an unknown command. */
export const showNextStep =
  (program: Command): Action<object> =>
  async (context) => {
    const [word] = context.args;
    if (word !== undefined) throw unknownCommand(program, word);
    const situation = await readSituationOrObstacle(context);
    return context.output.answer(situation, renderNextStep(situation));
  };

function unknownCommand({ commands }: Command, word: string): RalphError {
  const names = commands.map((command) => command.name());
  const meant = nearest(word, names);
  return new RalphError("config", {
    message: `There is no command ${JSON.stringify(word)}.`,
    remedy: meant ? `Did you mean \`ralph ${meant}\`?` : `There are: ${names.join(", ")}.`,
  });
}

/** An error is an obstacle the user has to remove next, not a failure of this command. */
async function readSituationOrObstacle(context: CommandContext): Promise<Situation> {
  try {
    return await readSituation(context);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { kind: "obstacle", message: error.message, remedy: error.remedy };
  }
}

async function readSituation({ system, directory, globals }: CommandContext): Promise<Situation> {
  const root = await findRoot(system, directory);
  const { gitDir } = await locateRepository(system, root);
  const branch = (await readUserBranch(system.files(gitDir))) ?? "main";
  const files = system.files(root);
  const configPath = configPathOf(system.env, globals.config);
  const lacksConfig = (await files.stat(configPath)) === undefined;
  const taskPath = lacksConfig
    ? ".ralph/prd.json"
    : await findTaskPath(system, root, {
        source: (await readConfig(files, configPath)).config.task_source,
      });
  const lacksTasks = (await files.stat(taskPath)) === undefined;
  const missing = [...(lacksConfig ? [configPath] : []), ...(lacksTasks ? [taskPath] : [])];
  if (missing.length > 0) return { kind: "new", missing };
  const { prd } = await readTaskFile(files, taskPath);
  const { store } = await locateStore(system, root);
  const open = prd.tasks.filter(({ passes }) => !passes).length;
  const total = prd.tasks.length;
  const session = await readSessionSituation(store);
  if (session) return session;
  if (total === 0) return emptyList(taskPath);
  const { project } = prd;
  return open > 0
    ? { kind: "open", project, open, total }
    : { kind: "done", project, total, branch };
}

async function readSessionSituation(store: SessionStore): Promise<Situation | undefined> {
  const owner = await readLockOwner(lockPath(store));
  if (owner) return { kind: "running", session: owner.session_id };
  const session = await unfinishedSession(store);
  if (session === undefined) return undefined;
  const end = (await replayJournal(store.session(session)))?.state.end;
  const because = end?.message ?? "its process ended unexpectedly.";
  return { kind: "unfinished", session, because, next: nextAction(end?.reason ?? "cancelled") };
}

const emptyList = (path: string): Situation => ({
  kind: "obstacle",
  message: `${path} has no tasks.`,
  remedy:
    "Add one with id, title, description, acceptanceCriteria, priority and passes: false, then run `ralph validate`.",
});

/** The state of a project folder that decides the next step. */
type Situation =
  | { kind: "new"; missing: string[] }
  | { kind: "obstacle"; message: string; remedy: string }
  | { kind: "running"; session: string }
  | { kind: "unfinished"; session: string; because: string; next: string }
  | { kind: "open"; project: string; open: number; total: number }
  | { kind: "done"; project: string; total: number; branch: string };

/** The next step, the reason for it, and where to find help. Pure. */
export const renderNextStep = (situation: Situation): string =>
  `${describe(situation)}\n\nHelp: ralph --help, ralph <command> --help`;

function describe(situation: Situation): string {
  switch (situation.kind) {
    case "new":
      return firstFiles(situation);
    case "obstacle":
      return `${situation.message}\n${situation.remedy}`;
    case "running":
      return step(`Session ${situation.session} is running.`, "ralph status --watch");
    case "unfinished":
      return `Session ${situation.session} is unfinished: ${situation.because}\n\n${situation.next}`;
    case "open": {
      const { project, open, total } = situation;
      return step(`${project}: ${open} of ${counted(total, "task")} still open.`, "ralph run");
    }
    case "done": {
      const { project, total, branch } = situation;
      const all = `${project}: all ${counted(total, "task")} passed.`;
      return `${step(all, "ralph publish")}\nIt pushes ${branch} and opens the pull request.`;
    }
  }
}

const step = (what: string, command: string) => `${what}\n\nNext step:\n  ${command}`;

function firstFiles({ missing }: Extract<Situation, { kind: "new" }>): string {
  const lacks = `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing.`;
  const what = `ralph needs two files: a configuration (.ralph/ralph.yml) and a task list. ${lacks}`;
  return `${step(what, "ralph init")}\nIt writes the missing files, fitted to this project, and keeps existing ones.`;
}
