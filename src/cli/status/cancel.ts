import { basename } from "node:path/posix";
import type { Command } from "commander";
import { readAutopilotRun } from "../../autopilot/run/autopilot-run.ts";
import { cancelForeignRuns, type FoundForeignRun } from "../../entry/foreign-runs.ts";
import { settleSessions } from "../../entry/settle-sessions.ts";
import { describeHolder, lockPath, takeLock } from "../../entry/take-lock.ts";
import { RalphError } from "../../error.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/session-lock.ts";
import { interrupt, type LockOwner } from "../../platform/process/lock-owner.ts";
import { type LocatedProject, locateProject } from "../../session/open/locate-project.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type Summary, summarize } from "../../views/summary/summary.ts";
import { type Action, addAction, type CommandContext, type CommandHost } from "../core/command.ts";

/** A session ends within two seconds (design 4), on a slow disk later. */
const maxWaitMs = 10_000;
const pollMs = 100;

const help = `
Passed tasks are committed, unfinished work is kept. If no ralph session runs,
it asks a run of another tool (omx, omc, claude-ralph, agent-teams) in this
project to end, through the files of that tool.

Example:
  ralph cancel && ralph run --resume   end the session and continue it`;

/** `ralph cancel`: ends the running session in good order and prints its outcome. */
export function addCancel(program: Command, host: CommandHost): void {
  const command = program
    .command("cancel")
    .summary("end the running session")
    .description(
      "Interrupts the session that runs in this project, as Ctrl-C does, and waits until it has ended.",
    )
    .option("--session <id>", "cancel only if this session is running")
    .addHelpText("after", help);
  addAction(command, host, cancel);
}

const cancel: Action<{ session?: string }> = async (context, { session }) => {
  const place = await locateProject(context.system, context.directory);
  const { store } = place;
  const owner = await readLockOwner(lockPath(store));
  if (!owner || (session !== undefined && owner.session_id !== session)) {
    const ended = await cancelForeignRuns(context.system, place, session);
    const settled = owner ? [] : await settleInterrupted(context, place);
    if (ended.length > 0 || settled.length > 0) return reportFiles(context, { ended, settled });
    if (!owner) return reportNothing(context, "No session is running.");
    return reportNothing(context, `Session ${session} is not running; ${owner.session_id} is.`);
  }
  const interruption = interrupt(owner);
  if (interruption === "elsewhere") throw onAnotherMachine(owner);
  context.output.progress(`Interrupting ${describeHolder(owner)} …`);
  await untilFree(context, store, owner);
  return reportEnd(context, store, owner);
};

type ChangedFiles = { ended: readonly FoundForeignRun[]; settled: readonly string[] };

/** The changes in files of other tools: their runs, and traces of a ralph session that had died. */
function reportFiles({ output }: CommandContext, { ended, settled }: ChangedFiles): number {
  const others = namesOf(ended);
  const cancelled = `Cancelled in the files of their tools: ${others.join(", ")}. Each ends when it reads its files again.`;
  const shown = `${ended.length > 0 ? "" : "No session is running. "}Files of other tools were left by a session that has ended; they now show its end: ${settled.join(", ")}.`;
  const parts = [ended.length > 0 ? cancelled : "", settled.length > 0 ? shown : ""];
  const message = parts.filter((part) => part !== "").join("\n");
  const files = { ...(others.length > 0 && { others }), ...(settled.length > 0 && { settled }) };
  return output.answer({ cancelled: ended.length > 0, message, ...files }, message);
}

/** A tool with several modes of one id is named once, with its modes. */
function namesOf(ended: readonly FoundForeignRun[]): string[] {
  const nameOf = ({ dialect, run }: FoundForeignRun) => `${dialect.name} ${run.id ?? ""}`.trim();
  return [...Map.groupBy(ended, nameOf)].map(([name, runs]) => {
    const modes = runs.map(({ run }) => basename(run.path).replace(/-state\.json$/, ""));
    return runs.length > 1 ? `${name} (${modes.join(", ")})` : name;
  });
}

/** Under ralph's lock: a session that starts meanwhile settles for itself. */
async function settleInterrupted({ system, output }: CommandContext, place: LocatedProject) {
  await using _ = await takeLock(system, place.store, "cancel");
  const { paths, remarks } = await settleSessions(system, place);
  for (const remark of remarks) output.problem(`Warning: ${remark}`);
  return paths;
}

const reportNothing = ({ output }: CommandContext, message: string) =>
  output.answer({ cancelled: false, message }, message);

function onAnotherMachine(owner: LockOwner): RalphError {
  return new RalphError("claim", {
    message: `${describeHolder(owner)} works on this project, from another machine.`,
    remedy: `Run \`ralph cancel\` on ${owner.host}.`,
  });
}

async function untilFree(
  { system: { clock }, signal }: CommandContext,
  store: SessionStore,
  owner: LockOwner,
): Promise<void> {
  const latest = clock.monotonic() + maxWaitMs;
  while ((await readLockOwner(lockPath(store)))?.pid === owner.pid) {
    if (clock.monotonic() > latest || signal.aborted) throw stillEnding(owner);
    await clock.sleep(pollMs, signal);
  }
}

function stillEnding(owner: LockOwner): RalphError {
  return new RalphError("claim", {
    message: `${describeHolder(owner)} was interrupted and has not ended yet.`,
    remedy: `Watch it with \`ralph status --watch\`. If it hangs, end it with \`kill -KILL ${owner.pid}\`; passed tasks are committed.`,
  });
}

/** Prints the outcome in the journal: the session may have ended for another reason just before. */
async function reportEnd(
  { output }: CommandContext,
  store: SessionStore,
  { session_id }: LockOwner,
): Promise<number> {
  const replay = await replayJournal(store.session(session_id));
  const summary = replay && summarize(replay.state);
  const text = summary ? describeEnd(summary) : await describeStop(store, session_id);
  return output.answer({ cancelled: true, message: text, ...summary }, text);
}

/** The outcome of a run that was still planning is in its own record. */
async function describeStop(store: SessionStore, id: string): Promise<string> {
  const { record } = (await readAutopilotRun(store, id)) ?? {};
  if (!record) return `Session ${id} ended before it started.`;
  const { status, failure_reason: reason = "" } = record;
  const next = "Continue with `ralph autopilot --resume`.";
  return `Run ${id} has ended: ${status}${reason && ` - ${plainLine(reason, 300)}`}\n${next}`;
}

function describeEnd({ session_id, status, tasks_completed, tasks_total, message }: Summary) {
  const ending = `Session ${session_id} has ended: ${status.replaceAll("_", " ")} - ${message}`;
  const passed = `${tasks_completed}/${tasks_total} tasks passed.`;
  const next = status === "aborted" ? " Continue with `ralph run --resume`." : "";
  return `${ending}\n${passed}${next}`;
}
