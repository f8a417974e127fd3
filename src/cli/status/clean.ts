import type { Command } from "commander";
import { clearSessionFiles } from "../../entry/session-files.ts";
import { takeLock } from "../../entry/take-lock.ts";
import { newSessionId } from "../../session/loop/session-id.ts";
import { type Cleaned, cleanSessions } from "../../session/open/clean-sessions.ts";
import { type LocatedProject, locateProject, openSide } from "../../session/open/locate-project.ts";
import { sweepLeftovers } from "../../session/open/sweep-leftovers.ts";
import {
  type Action,
  addAction,
  type CommandContext,
  type CommandHost,
  sessionDirOf,
  wholeNumber,
} from "../core/command.ts";

const help = `
It never removes commits, branches or files that ralph did not write. While a
session runs, it removes nothing (exit 24).

Example:
  ralph clean --keep 1     keep only the last session`;

/** `ralph clean`: removes old sessions and the leftovers of crashes. */
export function addClean(program: Command, host: CommandHost): void {
  const command = program
    .command("clean")
    .summary("remove old sessions and leftover files")
    .description(
      "Removes old sessions with their unfinished work, temporary files of crashed processes, and the record of completed setup steps.",
    )
    .option("--keep <n>", "sessions to keep (5); sessions older than 14 days are always removed")
    .addHelpText("after", help);
  addAction(command, host, clean);
}

const clean: Action<{ keep?: string }> = async (context, options) => {
  const keep = wholeNumber("--keep", options.keep, { min: 0, max: 999_999 });
  const { system, directory, output } = context;
  const place = await locateProject(system, directory);
  await using _ = await takeLock(system, place.store, newSessionId(system));
  const limits = { now: system.clock.now(), ...(keep !== undefined && { keep }) };
  const cleaned = await cleanSessions(system, place, limits);
  const removed = { ...cleaned, files: await removeFiles(context, place, cleaned) };
  return output.answer(removed, describe(removed));
};

/** The default paths: the configuration may be broken. */
const documents = [".ralph/prd.json", "AGENTS.md"];

async function removeFiles(context: CommandContext, place: LocatedProject, { sessions }: Cleaned) {
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
