import * as z from "zod";
import { errorAt, type Finding, warningAt } from "../../../schema/base/finding.ts";
import { type Phase, phases } from "../../../schema/base/phase.ts";
import { checkBy } from "../../json-text.ts";

/** Any parsable time: the format does not require ISO 8601 to the second (compatibility 2). */
export const OmxTimestamp = z
  .string()
  .refine(
    (text) => !Number.isNaN(Date.parse(text)),
    'must be a time such as "2026-01-25T14:30:52Z"',
  );

const Linked = z
  .union([z.boolean(), z.string()], { error: "must be true, false or a name" })
  .optional();

/** `ralph-state.json` (specs 000), and the files of other modes, which have their own phases. Unknown keys are kept. */
export const OmxState = z
  .looseObject({
    active: z.boolean().describe("Whether it is at work"),
    iteration: z.int().min(0).optional().describe("Iterations so far"),
    max_iterations: z.int().min(1).optional().describe("Iterations it may take"),
    current_phase: z.string().optional().describe("Its phase, one of seven names"),
    started_at: OmxTimestamp.optional().describe("When it started"),
    completed_at: OmxTimestamp.optional().describe("When it ended"),
    last_turn_at: OmxTimestamp.optional().describe("When an agent's turn last ended"),
    stop_reason: z.string().optional().describe("Why it ended"),
    linked_ultrawork: Linked.describe("Whether ultrawork belongs to it"),
    linked_ecomode: Linked.describe("Whether ecomode belongs to it"),
    linked_team: Linked.describe("Whether a team belongs to it"),
    linked_mode: z.string().optional().describe("The mode that belongs to it, by name"),
    linked_team_terminal_phase: z.string().optional().describe("How its team ended"),
    linked_team_terminal_at: OmxTimestamp.optional().describe("When its team ended"),
    ralph_phase_normalized_from: z.string().optional().describe("The older name of its phase"),
  })
  .meta({ title: "OMX mode state", description: "State of one mode, .omx/state/*-state.json" });
export type OmxState = z.infer<typeof OmxState>;

/** Older names of phases, only read (compatibility 2). "canceled" is not one of them. */
const aliases: Readonly<Record<string, Phase>> = {
  start: "starting",
  started: "starting",
  execution: "executing",
  execute: "executing",
  verify: "verifying",
  verification: "verifying",
  fix: "fixing",
  completed: "complete",
  fail: "failed",
  error: "failed",
  cancel: "cancelled",
};

/** The phase of a name in any case; undefined for an unknown one. */
export function omxPhase(word: string): Phase | undefined {
  const plain = word.trim().toLowerCase();
  return phases.find((phase) => phase === plain) ?? aliasOf(plain);
}

const aliasOf = (word: string) => (Object.hasOwn(aliases, word) ? aliases[word] : undefined);

export const isTerminal = (phase: Phase | undefined) =>
  phase === "complete" || phase === "failed" || phase === "cancelled";

const whileActive = ["iteration", "max_iterations", "current_phase", "started_at"] as const;

/** A state of ralph with its findings. */
export const checkOmxState = checkBy(OmxState, (state) => [
  ...whileActive
    .filter((key) => state.active && state[key] === undefined)
    .map((key) => errorAt([key], "is missing; an active run needs it")),
  ...phaseFindings(state),
]);

/** A state of another mode with its findings; its phases are its own. */
export const checkOmxMode = checkBy(OmxState);

function phaseFindings({ active, current_phase: word, completed_at }: OmxState): Finding[] {
  if (word === undefined) return [];
  const phase = omxPhase(word);
  if (phase === undefined) {
    const known = phases.join(", ");
    return [errorAt(["current_phase"], `must be one of ${known}, not ${JSON.stringify(word)}`)];
  }
  const isOver = isTerminal(phase);
  return [
    ...(phase === word ? [] : [warningAt(["current_phase"], `is an older name of "${phase}"`)]),
    ...(isOver && active ? [errorAt(["active"], `must be false: phase "${phase}" is an end`)] : []),
    ...(isOver && !active && completed_at === undefined
      ? [warningAt(["completed_at"], "is missing; an ended run needs it")]
      : []),
  ];
}
