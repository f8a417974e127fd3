import { omx } from "../../dialects/omx/omx.ts";
import { type Mode, omxFileAt, scopeFolder, sessionFile } from "../../dialects/omx/paths.ts";
import { OmxSessionId } from "../../dialects/omx/schema/files.ts";
import { isOurs, parseModeState, parseSession } from "../../dialects/omx/scope.ts";
import { checkForeignText } from "../../entry/foreign-tree.ts";
import { type Problem, RalphError } from "../../error.ts";
import { isRunning } from "../../platform/process/process-table.ts";
import type { Files } from "../../platform/system.ts";

/** An active mode and the path of its state file. */
export type TurnFile = { mode: Mode; path: string };

type TurnScope = { found: TurnFile[]; problems: readonly Problem[] };

/** The active modes of the named or current session, else of the root scope (specs 000), and problems of broken files. */
export async function findTurnScope(files: Files, named: string | undefined): Promise<TurnScope> {
  if (named !== undefined) return readNamed(files, requireId(named));
  const text = (await files.read(sessionFile))?.toString();
  const { problems } = text === undefined ? noProblems : checkForeignText(omx, sessionFile, text);
  if (problems.length > 0) return { found: [], problems };
  const session = livingSession(text);
  const own = session === undefined ? undefined : await readNamed(files, session);
  return own?.hasFiles ? own : readScope(files, undefined);
}

/** The files of a ralph session are computed from its journal, so nothing is counted for it. */
const readNamed = async (files: Files, session: string) =>
  isOurs(session) ? { found: [], problems: [], hasFiles: true } : readScope(files, session);

const noProblems = { problems: [] };

/** A session is current while its process runs. */
function livingSession(text: string | undefined): string | undefined {
  const { session_id, pid, pid_start_ticks: startTime } = parseSession(text) ?? {};
  return pid === undefined || isRunning({ pid, startTime }) ? session_id : undefined;
}

function requireId(named: string): string {
  if (OmxSessionId.safeParse(named).success) return named;
  throw new RalphError("config", {
    message: `${JSON.stringify(named)} is not a session id.`,
    remedy: 'Use 1 to 64 characters of A-Z, a-z, 0-9, "_" and "-".',
  });
}

async function readScope(
  files: Files,
  session: string | undefined,
): Promise<TurnScope & { hasFiles: boolean }> {
  const folder = scopeFolder(session);
  const found: TurnFile[] = [];
  const problems: Problem[] = [];
  let hasFiles = false;
  for (const name of await files.list(folder)) {
    const path = `${folder}/${name}`;
    const file = omxFileAt(path);
    if (file?.kind !== "mode") continue;
    hasFiles = true;
    const text = (await files.read(path))?.toString() ?? "";
    const wrong = checkForeignText(omx, path, text).problems;
    problems.push(...wrong);
    if (wrong.length === 0 && parseModeState(file.mode, text)?.active) {
      found.push({ mode: file.mode, path });
    }
  }
  return { found, problems, hasFiles };
}
