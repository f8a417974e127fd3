import { dirname, relative } from "node:path/posix";
import { styleText } from "node:util";
import { replayJournal } from "../journal/journal.ts";
import type { ViewsGiven } from "../loop/assemble-session.ts";
import type { Views } from "../loop/session.ts";
import type { RunEvent } from "../run/event.ts";
import type { Run } from "../run/run.ts";
import { createSurfaces } from "../surfaces/surfaces.ts";
import { createUpdater } from "../surfaces/updater.ts";
import { type TerminalStyle, terminalLines } from "../surfaces/views/terminal.ts";
import { createOwnFiles, type OwnFiles } from "../system/own-files.ts";
import type { System } from "../system/system.ts";
import { sessionFiles } from "./clear-session-files.ts";
import type { CommandContext } from "./command.ts";
import type { Output } from "./output.ts";

/** The surfaces of a session on the command line: files for tools, live lines for people. */
export async function openViews(
  system: Pick<System, "files">,
  output: Output,
  given: ViewsGiven,
): Promise<Views> {
  const session = openSessionDir(system, given);
  // A new session starts without the old one's (design 4).
  await Promise.all(sessionFiles.map((name) => session.remove(name)));
  const updater = createUpdater({
    surfaces: createSurfaces({ progress: given.config.autopilot.memory.progress }),
    session,
    project: system.files(given.projectRoot),
    readEvidence: given.readEvidence,
    given: { token: given.token },
  });
  await replayJournal(given.files, (event) => updater.replay(event));
  const fresh: RunEvent[] = [];
  const live = createLiveLines(output);
  return {
    notice: (event, run) => {
      fresh.push(event);
      live(event, run);
    },
    update: (run) => updater.update(run, fresh.splice(0)),
    tampered: updater.tampered,
  };
}

/** The session directory lies where agents write: it is entered from the folder above, never through a link. */
function openSessionDir(
  { files }: Pick<System, "files">,
  { projectRoot, sessionDir }: ViewsGiven,
): OwnFiles {
  const isInside = sessionDir.startsWith(`${projectRoot}/`);
  const above = isInside ? projectRoot : dirname(sessionDir);
  return createOwnFiles(files(above), relative(above, sessionDir));
}

/** Prints each event as it happens, and a sign of life after a minute of silence (design 9.1). */
function createLiveLines(output: Output): (event: RunEvent, run: Run) => void {
  const style = styleOf(output);
  const level = output.level === "debug" ? "verbose" : output.level;
  let timer: NodeJS.Timeout | undefined;
  return (event, run) => {
    for (const line of terminalLines(event, run, { level, style })) output.progress(line);
    clearInterval(timer);
    if (event.type !== "agent_start" || level === "quiet") return;
    let minutes = 0;
    timer = setInterval(() => {
      minutes += 1;
      output.progress(style.faint(`… ${event.task} ${event.role} runs for ${minutes} min`));
    }, 60_000).unref();
  };
}

export function styleOf({ hasColour }: Output): TerminalStyle {
  const colour = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    hasColour ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: colour("green"),
    bad: colour("red"),
    wait: colour("yellow"),
    plain: colour("cyan"),
    faint: colour("dim"),
  };
}

/** The session directory, absolute: `--session-dir`, `RALPH_SESSION_DIR`, else `.ralph-session` (specs 004 A). */
export function sessionDirOf({ globals, system }: CommandContext, root: string): string {
  const path = globals.sessionDir || system.env.RALPH_SESSION_DIR || ".ralph-session";
  return path.startsWith("/") ? path : `${root}/${path}`;
}
