/** `@org/ralph-action/omc`: the state files below `.omc/`, for other programs (specs 002). */
export type {
  RalphState,
  UltraworkState,
  VerificationState,
} from "../dialects/omc/schema/types.ts";
export {
  clearRalphState,
  createRalphState,
  markRalphStateComplete,
  readRalphState,
  updateRalphStateIteration,
  writeRalphState,
} from "./ralph-state.ts";
export {
  clearUltraworkState,
  createUltraworkState,
  readUltraworkState,
  updateUltraworkStateChecked,
  writeUltraworkState,
} from "./ultrawork-state.ts";
export {
  clearVerificationState,
  createVerificationState,
  readVerificationState,
  updateVerificationAttempt,
  writeVerificationState,
} from "./verification-state.ts";
