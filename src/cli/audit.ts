import { resolve } from "node:path/posix";
import type { Command } from "commander";
import { RalphError, stopReasons } from "../error.ts";
import { lastSessionId, sessionIds } from "../journal/store.ts";
import { type Audit, auditSession, isSound } from "../loop/audit-session.ts";
import { locateProject, type Place } from "../loop/locate-project.ts";
import { counted } from "../run/counted.ts";
import type { TaskRun } from "../run/run.ts";
import { plainLine } from "../surfaces/plain-text.ts";
import { renderProof } from "../surfaces/proof.ts";
import type { Files } from "../system/system.ts";
import { act, type Outside } from "./act.ts";
import type { Action, CommandContext } from "./command.ts";

const help = `
It looks at every line of the journal, every piece of evidence, the proofs of
every passed task, and the commits with their parents, trees and trailers.
Exit 0: sound. Exit 6: not sound, with all problems.

Examples:
  ralph audit                          the last session
  ralph audit 20260125-143052-a7b3c9   another one
  ralph audit ./session-artifact       a bundle, in a clone of its repository`;

/** `ralph audit`: is what a session claims what its journal, its evidence and git say? It only reads. */
export function addAudit(program: Command, outside: Outside): void {
  const command = program
    .command("audit")
    .summary("check chain, evidence, proofs and commits of a session")
    .description("Checks whether every passed task of a session is proved.")
    .argument("[session]", "a session's id, or a folder with a bundle; default: the last session")
    .addHelpText("after", help);
  act(command, outside, audit);
}

const audit: Action<object> = async (context) => {
  const { system, directory, output, args } = context;
  const place = await locateProject(system, directory);
  const files = await chooseFiles(context, place, args[0]);
  const found = await auditSession(system, { place, files });
  if (output.wantsJson) output.json(jsonOf(found));
  else output.result(describe(found));
  return isSound(found) ? 0 : stopReasons.tampering;
};

async function chooseFiles(
  { system, directory }: CommandContext,
  { store }: Place,
  named: string | undefined,
): Promise<Files> {
  const ids = await sessionIds(store);
  const id = named ?? (await lastSessionId(store));
  if (id !== undefined && ids.includes(id)) return store.session(id);
  if (named !== undefined) {
    const files = system.files(resolve(directory, named));
    if (await files.stat("journal.jsonl")) return files;
  }
  throw new RalphError("config", {
    message: named
      ? `${named} is neither a session here nor a folder with a journal.jsonl.`
      : "There is no session here yet.",
    remedy: ids.length > 0 ? `Name one of these: ${ids.join(", ")}` : "Start one with `ralph run`.",
  });
}

function jsonOf(found: Audit): unknown {
  const { run, digest, events, evidence, passes, problems } = found;
  return {
    sound: isSound(found),
    session_id: run?.session.session_id ?? null,
    journal: digest ?? null,
    events,
    evidence,
    tasks: passes.map(({ task, committed, lacks }) => ({
      id: task,
      commit: committed?.commit ?? null,
      problems: lacks,
    })),
    problems,
  };
}

function describe(found: Audit): string {
  const { run, problems } = found;
  const tasks = run?.tasks.map((task) => describeTask(task, found)) ?? [];
  return [...tasks, ...problems.map((problem) => `✗ ${problem}`), verdict(found)].join("\n");
}

function describeTask(run: TaskRun, found: Audit): string {
  const { task, state, passedBefore } = run;
  const lacks = found.passes.filter((pass) => pass.task === task.id).flatMap((pass) => pass.lacks);
  if (lacks.length > 0) return [`✗ ${task.id}`, ...lacks.map((lack) => `    ${lack}`)].join("\n");
  if (state !== "passed") return `· ${task.id} ${stateOf(state, found)}`;
  if (passedBefore) return `· ${task.id} passed before this session`;
  return `✓ ${task.id} ${commitOf(run)}: ${plainLine(renderProof(run), 300)}`;
}

const stateOf = (state: string, { run }: Audit) =>
  state === "running" && run?.end ? "interrupted" : state;

const commitOf = ({ commit }: TaskRun) =>
  commit ? `passed as ${commit.slice(0, 12)}` : "passed, not committed yet (`ralph run --resume`)";

function verdict(found: Audit): string {
  const { run, passes, problems, events, evidence } = found;
  const name = run ? `Session ${run.session.session_id}` : "This session";
  const looked = `${counted(events, "event")}, ${counted(evidence, "piece")} of evidence`;
  const faults = problems.length + passes.reduce((sum, { lacks }) => sum + lacks.length, 0);
  if (faults > 0) return `${name} is NOT sound: ${counted(faults, "problem")} (${looked}).`;
  return `${name} is sound: ${looked}, journal ${found.digest}.`;
}
