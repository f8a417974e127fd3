import type { Command } from "commander";
import { clearSessionFiles } from "../../entry/clear-session-files.ts";
import { takeLock } from "../../entry/take-lock.ts";
import { RalphError } from "../../error.ts";
import { type Cleaned, cleanSessions } from "../../session/open/clean-sessions.ts";
import { type LocatedProject, locateProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import { newSessionId } from "../../session/open/session-id.ts";
import { sweepLeftovers } from "../../session/open/sweep-leftovers.ts";
import {
  type Action,
  addAction,
  type CommandContext,
  type CommandHost,
  sessionDirOf,
} from "../core/command.ts";

type CleanOptions = { keep?: string };

const help = `
Commits, branches and files that ralph did not write are never touched. While
a session runs nothing is removed (exit 24).

Example:
  ralph clean --keep 1     only the last session stays`;

/** `ralph clean`: lets old sessions go, and what crashes left behind. */
export function addClean(program: Command, host: CommandHost): void {
  const command = program
    .command("clean")
    .summary("remove old sessions and left-over files")
    .description(
      "Removes old sessions with the unfinished work that was kept for them, temporary files of crashed processes, and the memory of finished setup steps.",
    )
    .option("--keep <n>", "sessions to keep (5); those older than 14 days go in any case")
    .addHelpText("after", help);
  addAction(command, host, clean);
}

const clean: Action<CleanOptions> = async (context, options) => {
  const keep = options.keep === undefined ? {} : { keep: count(options.keep) };
  const { system, directory, output } = context;
  const place = await locateProject(system, directory);
  await using _ = await takeLock(system, place.store, newSessionId(system));
  const cleaned = await cleanSessions(system, place, { now: system.clock.now(), ...keep });
  const removed = { ...cleaned, files: await removeFiles(context, place, cleaned) };
  if (output.wantsJson) output.json(removed);
  else output.result(describe(removed));
  return 0;
};

function count(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new RalphError("config", {
    message: `--keep must be a whole number from 0 on, not "${text}".`,
    remedy: "For example: --keep 3",
  });
}

/** The configuration may be broken, so documents are looked for where they are by default. */
const documents = [".ralph/prd.json", "AGENTS.md"];

async function removeFiles(
  context: CommandContext,
  place: LocatedProject,
  { sessions }: Cleaned,
): Promise<string[]> {
  const { system } = context;
  const { root, store } = place;
  const sessionDir = sessionDirOf(context, root);
  const shown = await clearSessionFiles(system.files(sessionDir), sessions);
  await using side = await openSide(system, place);
  const repo = { ...side, privateDir: `${store.folder}/git` };
  const swept = await sweepLeftovers(system, { repo, store, sessionDir, documents });
  const hasSetup = (await store.files.stat("setup")) !== undefined;
  await store.files.remove("setup");
  return [...shown, ...swept, ...(hasSetup ? [`${store.folder}/setup`] : [])];
}

function describe({ sessions, trees, files }: Cleaned & { files: string[] }): string {
  const lines = [...list("session", sessions), ...list("kept tree", trees), ...list("file", files)];
  return lines.length > 0 ? ["Removed:", ...lines].join("\n") : "There is nothing to remove.";
}

const list = (kind: string, names: readonly string[]) => names.map((name) => `  ${kind} ${name}`);
