import type { StopReason } from "../../error.ts";
import type { GateChoice, GateLevel } from "../../schema/config/gates.ts";
import type { ServiceEnv } from "../../schema/config/services.ts";
import type { ProofSettings } from "../proof/settings.ts";
import type { FixLimits } from "../verify/judge-verification.ts";
import type { VerifyPlan } from "../verify/verify-plan.ts";
import type { Budgets } from "./budget.ts";

/** The input of decisions besides the state: fixed at the start commit, so equal states give equal steps (design 4). */
export interface Policy {
  /** Tasks worked on at the same time. */
  parallel: number;
  maxIterations: number;
  maxVerificationAttempts: number;
  /** Failures in a row with the same output, whatever the work, before a task is blocked. */
  maxSameFailures: number;
  breaker: { maxConsecutiveFailures: number; backoffMs: number; backoffMaxMs: number };
  /** Gate level inside an iteration; `full` always comes before a pass. */
  level: GateChoice;
  gates: Readonly<Record<GateLevel, readonly GateRule[]>>;
  /** Names of the setup steps, in order. */
  setup: readonly string[];
  keepGoing: boolean;
  /** Times (ms since 1970) after which nothing new starts, and the stop reason the session then has. */
  deadlines: readonly { at: number; reason: StopReason }[];
  budgets: Budgets;
  proof: ProofSettings;
  /** Which commands start the services. */
  env: ServiceEnv;
  /** The verification after the last task; absent: none. */
  verify?: VerifyPlan;
  /** How often agents repair what it finds; absent: never. */
  fixes?: FixLimits;
  /** Tests are written before the work, unless a task says otherwise. */
  testsFirst?: boolean;
}

export interface GateRule {
  name: string;
  /** Digest of command, condition and time limit: together with the tree it identifies a result. */
  key: string;
  fatal: boolean;
  /** `baseline`, for a gate that was red before the session without comparable failures: end the session, accept it, or require green. */
  redBefore: "end" | "allow" | "repair";
  /** A mutation testing tool: it judges tests, and counts none. */
  isMutation?: boolean;
  /** A red that is new runs again on the same tree before it counts. */
  rerunsRed?: boolean;
}

/** Independent subtasks have their own small loop (compatibility 1.10). */
export const maxSubtaskIterations = 50;
/** Iterations in a row without a change before a task is blocked (design 4). */
export const maxIdleIterations = 3;
