import {
  completionPromise,
  defaultMaxIterations,
  ralphState,
} from "../dialects/omc/schema/index.ts";
import type { RalphState } from "../dialects/omc/schema/types.ts";
import { isoNow } from "../platform/library.ts";
import { clearStateFile, fileIn, readStateFile, writeStateFile } from "./state-file.ts";

const fileOf = fileIn(".omc/ralph-state.json", "ralph", ralphState);

/** The state of the loop in a project, or null (specs 002, "ralph-state.ts"). */
export function readRalphState(projectDir: string): RalphState | null {
  return readStateFile(fileOf(projectDir));
}

/** Writes the whole state to `.omc/ralph-state.json`. */
export function writeRalphState(projectDir: string, state: RalphState): void {
  state.last_activity_at = isoNow();
  writeStateFile(fileOf(projectDir), state);
}

/** Removes the file. */
export function clearRalphState(projectDir: string): void {
  clearStateFile(fileOf(projectDir));
}

/** A new loop at iteration 0. Writes nothing. */
// biome-ignore lint/complexity/useMaxParams: the specification's own signature.
export function createRalphState(
  sessionId: string,
  prompt: string,
  maxIterations: number = defaultMaxIterations,
  prdMode = true,
): RalphState {
  const now = isoNow();
  return {
    active: true,
    iteration: 0,
    max_iterations: maxIterations,
    completion_promise: completionPromise,
    started_at: now,
    prompt,
    session_id: sessionId,
    prd_mode: prdMode,
    current_story_id: null,
    last_activity_at: now,
  };
}

/** Writes the state with the caller's iteration count and the story. */
export function updateRalphStateIteration(
  projectDir: string,
  state: RalphState,
  currentStoryId?: string | null,
): void {
  if (currentStoryId !== undefined) state.current_story_id = currentStoryId;
  writeRalphState(projectDir, state);
}

/** Marks the loop as inactive and keeps the file. */
export function markRalphStateComplete(projectDir: string, state: RalphState): void {
  state.active = false;
  writeRalphState(projectDir, state);
}
