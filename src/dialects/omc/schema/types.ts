/** `.omc/ralph-state.json` (specs 002, "RalphState"). Times are ISO 8601. */
export interface RalphState {
  active: boolean;
  iteration: number;
  max_iterations: number;
  /** The text that an agent must print to be done. */
  completion_promise: string;
  started_at: string;
  prompt: string;
  session_id: string;
  prd_mode: boolean;
  current_story_id: string | null;
  last_activity_at: string;
}

/** `.omc/ultrawork-state.json` and `~/.opencode/ultrawork-state.json` (specs 002, "UltraworkState"). */
export interface UltraworkState {
  active: boolean;
  started_at: string;
  original_prompt: string;
  session_id: string;
  reinforcement_count: number;
  last_checked_at: string;
}

/** `.omc/ralph-verification.json` (specs 002, "VerificationState"). `pending` is false only after an approval. */
export interface VerificationState {
  pending: boolean;
  original_task: string;
  completion_claim: string;
  verification_attempts: number;
  max_verification_attempts: number;
  oracle_feedback: string | null;
  last_attempt_at: string | null;
  session_id: string;
}
