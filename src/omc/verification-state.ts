import { defaultMaxAttempts, verificationState } from "../dialects/omc/schema/index.ts";
import type { VerificationState } from "../dialects/omc/schema/types.ts";
import { isoNow } from "../platform/library.ts";
import { clearStateFile, fileIn, readStateFile, writeStateFile } from "./state-file.ts";

const fileOf = fileIn(".omc/ralph-verification.json", "verification", verificationState);

/** The current verification in a project, or null (specs 002, "verification-state.ts"). */
export function readVerificationState(projectDir: string): VerificationState | null {
  return readStateFile(fileOf(projectDir));
}

/** Writes the whole state to `.omc/ralph-verification.json`. */
export function writeVerificationState(projectDir: string, state: VerificationState): void {
  writeStateFile(fileOf(projectDir), state);
}

/** Removes the file. */
export function clearVerificationState(projectDir: string): void {
  clearStateFile(fileOf(projectDir));
}

/** A claim that waits for its first verification. Writes nothing. */
// biome-ignore lint/complexity/useMaxParams: the specification's own signature.
export function createVerificationState(
  sessionId: string,
  originalTask: string,
  completionClaim: string,
  maxAttempts: number = defaultMaxAttempts,
): VerificationState {
  return {
    pending: true,
    original_task: originalTask,
    completion_claim: completionClaim,
    verification_attempts: 0,
    max_verification_attempts: maxAttempts,
    oracle_feedback: null,
    last_attempt_at: null,
    session_id: sessionId,
  };
}

/** Records one attempt. Only an approval clears `pending`, however many attempts there were (compatibility 4). */
// biome-ignore lint/complexity/useMaxParams: the specification's own signature.
export function updateVerificationAttempt(
  projectDir: string,
  state: VerificationState,
  feedback: string,
  approved: boolean,
): void {
  state.verification_attempts += 1;
  state.oracle_feedback = feedback;
  state.last_attempt_at = isoNow();
  if (approved) state.pending = false;
  writeVerificationState(projectDir, state);
}
