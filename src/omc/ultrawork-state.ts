import { ultraworkState } from "../dialects/omc/schema/index.ts";
import type { UltraworkState } from "../dialects/omc/schema/types.ts";
import { homeFolder, isCi, isoNow, logLine } from "../platform/library.ts";
import { clearStateFile, fileIn, readStateFile, writeStateFile } from "./state-file.ts";

const localFile = fileIn(".omc/ultrawork-state.json", "ultrawork", ultraworkState);
const fileInHome = fileIn(".opencode/ultrawork-state.json", "global ultrawork", ultraworkState);

/** Undefined when the user has no home folder. */
const globalFile = () => (homeFolder() === "" ? undefined : fileInHome(homeFolder()));

/** The project's state, else the user's (specs 002, "Read Priority"). A broken file counts as missing. */
export function readUltraworkState(projectDir: string): UltraworkState | null {
  const global = globalFile();
  return readStateFile(localFile(projectDir)) ?? (global ? readStateFile(global) : null);
}

/** Writes the project's state and, with `writeGlobal`, the user's; never the user's in CI (compatibility 4). */
export function writeUltraworkState(
  projectDir: string,
  state: UltraworkState,
  writeGlobal = false,
): void {
  writeStateFile(localFile(projectDir), state);
  const global = writeGlobal ? allowedGlobal("write") : undefined;
  if (global) writeStateFile(global, state);
}

/** Removes the project's state and, with `clearGlobal`, the user's; never the user's in CI. */
export function clearUltraworkState(projectDir: string, clearGlobal = false): void {
  clearStateFile(localFile(projectDir));
  const global = clearGlobal ? allowedGlobal("clear") : undefined;
  if (global) clearStateFile(global);
}

function allowedGlobal(verb: string) {
  if (!isCi()) return globalFile();
  logLine(`Did not ${verb} global ultrawork state`, { because: "this is a CI job" }, true);
  return undefined;
}

/** A new session without checks. Writes nothing. */
export function createUltraworkState(sessionId: string, originalPrompt: string): UltraworkState {
  const now = isoNow();
  return {
    active: true,
    started_at: now,
    original_prompt: originalPrompt,
    session_id: sessionId,
    reinforcement_count: 0,
    last_checked_at: now,
  };
}

/** Counts a check of the work and writes the project's state. */
export function updateUltraworkStateChecked(projectDir: string, state: UltraworkState): void {
  state.reinforcement_count += 1;
  state.last_checked_at = isoNow();
  writeUltraworkState(projectDir, state);
}
