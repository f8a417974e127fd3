import { type Budgets, noBudgets } from "../../core/decide/budget.ts";
import type { GateRule, Policy } from "../../core/decide/policy.ts";
import { isProofOn, type ProofSettings } from "../../core/proof/settings.ts";
import { fixLimits } from "../../core/verify/judge-verification.ts";
import {
  type PostVerifyChoices,
  planPostVerify,
  repairsAfter,
} from "../../core/verify/verify-plan.ts";
import type { StopReason } from "../../error.ts";
import { gateKeyOf } from "../../gates/gates.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Gate, GateChoice, GateLevel } from "../../schema/config/gates.ts";
import type { ServiceEnv } from "../../schema/config/services.ts";

/** Options of the user or job that started the session, beyond the configuration. */
export type Choices = PostVerifyChoices & {
  gates?: GateChoice;
  keepGoing?: boolean;
  env?: ServiceEnv | undefined;
  deadlines: readonly { at: number; reason: StopReason }[];
};

/** The configuration as `nextSteps` needs it. `others`: what other sessions spent today, for the daily budget. */
export function policyOf(config: Config, choices: Choices, others = noBudgets.others): Policy {
  const { limits, breaker, gates } = config;
  const proof = proofOf(config);
  const verification = planPostVerify(config, choices);
  const ruleOf = ruleFor({ rerunsRed: isProofOn(proof) });
  return {
    parallel: limits.parallel,
    maxIterations: limits.max_iterations,
    maxVerificationAttempts: limits.max_verification_attempts,
    maxSameFailures: limits.max_same_failures,
    breaker: {
      maxConsecutiveFailures: breaker.max_consecutive_failures,
      backoffMs: breaker.backoff * 1000,
      backoffMaxMs: breaker.backoff_max * 1000,
    },
    level: choices.gates ?? "build",
    gates: { build: gates.build.map(ruleOf), full: gates.full.map(ruleOf) },
    setup: config.setup.map(({ name }) => name),
    keepGoing: choices.keepGoing ?? false,
    deadlines: choices.deadlines,
    budgets: { ...budgetsOf(config), others },
    proof,
    env: choices.env ?? "dev",
    ...(verification?.kind === "plan" && {
      verify: verification.plan,
      ...(repairsAfter(verification.plan, choices) && { fixes: fixLimits(config) }),
    }),
    testsFirst: config.tests.order === "tests_first",
  };
}

function proofOf({ proof }: Config): ProofSettings {
  const { census, originals, controls, red_first, witness, witness_hunks } = proof;
  const minutes = proof.witness_minutes;
  return {
    levels: { census, originals, controls, red_first, witness },
    witnessHunks: witness_hunks,
    ...(minutes !== null && { witnessMs: minutes * 60_000 }),
  };
}

export function budgetsOf({ limits }: Config): Omit<Budgets, "others"> {
  const { budget_usd, budget_usd_per_task, budget_usd_per_day } = limits;
  return { session: budget_usd, task: budget_usd_per_task, day: budget_usd_per_day };
}

const ruleFor =
  (shared: Pick<GateRule, "rerunsRed">) =>
  (gate: Gate): GateRule => ({
    name: gate.name,
    key: gateKeyOf(gate),
    fatal: gate.fatal,
    ...(gate.kind === "mutation" && { isMutation: true }),
    redBefore: gate.baseline ?? "end",
    ...shared,
  });

/** The gate a step names. Steps come from the same configuration, so it always exists. */
export function gateNamed(config: Config, level: GateLevel, name: string): Gate {
  const gate = config.gates[level].find((candidate) => candidate.name === name);
  if (!gate) throw new Error(`The configuration has no ${level} gate ${name}.`);
  return gate;
}
