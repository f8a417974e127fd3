import { resolve } from "node:path/posix";
import type { Command } from "commander";
import type { HeadProof } from "../../core/checks/prove.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { RalphError, stopReasons } from "../../error.ts";
import type { AuditedRepair } from "../../journal/audit.ts";
import { lastSessionId, sessionIds } from "../../journal/session-store.ts";
import type { Files } from "../../platform/system.ts";
import { type Audit, auditSession, isSound } from "../../session/audit/audit-session.ts";
import { proveHead } from "../../session/clean-room/prove-head.ts";
import { type LocatedProject, locateProject } from "../../session/open/locate-project.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderProofLine } from "../../views/summary/proof.ts";
import { renderProofStep, renderVerdict } from "../../views/terminal/prove-text.ts";
import { type Action, addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import { keepProof } from "../publish/kept-proof.ts";

const help = `
Checks every line of the journal, every piece of evidence, the proof of every
passed task, and the commits with their parents, trees and trailers. With
--prove it also runs the setup steps, full gates and checkable criteria of the
start commit again, on the session's result in a fresh clone, and the tests of
the user interface where they are enabled and this machine has their programs.
Work that depends on ignored files or on the agent's machine fails there.
Exit 0: sound, and proved if requested. Exit 4: refuted. Exit 6: not sound.

Examples:
  ralph audit                          check the last session
  ralph audit 20260125-143052-a7b3c9   check another session
  ralph audit ./session-artifact       check a bundle in a clone of the project
  ralph audit --prove                  run gates, criteria and tests again`;

/** `ralph audit`: checks a session against its journal, its evidence and git. It changes nothing. */
export function addAudit(program: Command, host: CommandHost): void {
  const command = program
    .command("audit")
    .summary("check a session's journal, evidence, proofs and commits")
    .description("Checks that every passed task of a session has its proof.")
    .argument("[session]", "id of a session, or folder with a bundle; default: the last session")
    .option("--prove", "run gates, criteria and tests again in a fresh clone, without agents")
    .addHelpText("after", help);
  addAction(command, host, audit);
}

const audit: Action<{ prove?: boolean }> = async (context, options) => {
  const { system, directory, output, args } = context;
  const place = await locateProject(system, directory);
  const files = await chooseFiles(context, place, args[0]);
  const found = await auditSession(system, { place, files });
  output.result(renderAudit(found));
  const proof =
    options.prove && isSound(found) ? await prove(context, place, files.root) : undefined;
  if (output.wantsJson) output.json({ ...auditJson(found), ...(proof && { proof }) });
  if (!isSound(found)) return stopReasons.tampering;
  return proof?.kind === "refuted" ? stopReasons.gate_fatal : 0;
};

/** Prints each result, then the verdict. */
async function prove(
  { system, output, signal }: CommandContext,
  { root, store }: LocatedProject,
  bundle: string,
): Promise<HeadProof> {
  const proof = await proveHead(system, {
    root,
    store,
    bundle,
    cancel: signal,
    notice: (step) => output.progress(renderProofStep(step)),
  });
  await keepProof(store, proof);
  output.result(renderVerdict(proof, store.folder));
  return proof;
}

async function chooseFiles(
  { system, directory }: CommandContext,
  { store }: LocatedProject,
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
      ? `${named} is neither a session of this project nor a folder with a journal.jsonl.`
      : "This project has no session yet.",
    remedy: ids.length > 0 ? `Name one of these: ${ids.join(", ")}` : "Start one with `ralph run`.",
  });
}

/** The output of `ralph audit --json`. */
function auditJson(found: Audit): object {
  const { state, digest, events, evidence, passes, repairs, problems } = found;
  return {
    sound: isSound(found),
    session_id: state?.session.session_id ?? null,
    journal: digest ?? null,
    events,
    evidence,
    tasks: passes.map(({ task, committed, lacks }) => ({
      id: task,
      commit: committed?.commit ?? null,
      problems: lacks,
    })),
    repairs: repairs.map(({ name, committed }) => ({ name, commit: committed?.commit ?? null })),
    problems,
  };
}

/** A line for each task, each sound repair, every problem, and the verdict. */
function renderAudit(found: Audit): string {
  const { state, repairs, problems } = found;
  const tasks = state?.tasks.map((task) => describeTask(task, found)) ?? [];
  const sound = repairs.filter(({ lacks }) => lacks.length === 0).map(describeRepair);
  const lines = [...tasks, ...sound, ...problems.map((problem) => `✗ ${problem}`)];
  return [...lines, ...withoutSandbox(found), verdict(found)].join("\n");
}

/** No chain shows that it was rewritten as a whole (T57). */
const withoutSandbox = ({ state }: Audit): string[] =>
  state?.session.sandbox === "off"
    ? ["· The session ran without a sandbox: an agent could have rewritten its whole journal."]
    : [];

const describeRepair = ({ name, end, committed }: AuditedRepair) =>
  `✓ ${name} of ${end.phase} ${kept(committed?.commit)}`;

const kept = (commit: string | undefined) =>
  commit ? `kept as ${commit.slice(0, 12)}` : "kept, not committed yet (`ralph run --resume`)";

function describeTask(run: TaskState, found: Audit): string {
  const { task, state, passedBefore } = run;
  const lacks = found.passes.filter((pass) => pass.task === task.id).flatMap((pass) => pass.lacks);
  if (lacks.length > 0) return [`✗ ${task.id}`, ...lacks.map((lack) => `    ${lack}`)].join("\n");
  if (state !== "passed") return `· ${task.id} ${statusOf(state, found)}`;
  if (passedBefore) return `· ${task.id} passed before this session`;
  return `✓ ${task.id} ${commitOf(run)}: ${plainLine(renderProofLine(run), 300)}`;
}

const statusOf = (status: string, { state }: Audit) =>
  status === "running" && state?.end ? "interrupted" : status;

const commitOf = ({ commit }: TaskState) =>
  commit ? `passed as ${commit.slice(0, 12)}` : "passed, not committed yet (`ralph run --resume`)";

function verdict(found: Audit): string {
  const { state, passes, problems, events, evidence } = found;
  const name = state ? `Session ${state.session.session_id}` : "This session";
  const looked = `${counted(events, "event")}, ${counted(evidence, "piece")} of evidence`;
  const faults = problems.length + passes.reduce((sum, { lacks }) => sum + lacks.length, 0);
  if (faults > 0) return `${name} is NOT sound: ${counted(faults, "problem")} (${looked}).`;
  return `${name} is sound: ${looked}, journal ${found.digest}.`;
}
