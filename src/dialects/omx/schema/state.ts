import * as z from "zod";
import { type Checked, checkShape, conclude } from "../../../schema/base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../../../schema/base/finding.ts";
import { phases } from "../../../schema/base/phase.ts";
import { isTerminal, omxPhase } from "./phase.ts";

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

/**
 * `ralph-state.json` (specs 000). The files of the other modes have the same keys and their own phases. Unknown keys are
 * kept.
 */
export const OmxState = z
  .looseObject({
    active: z.boolean().describe("Whether it is at work"),
    iteration: z.int().min(0).optional().describe("Iterations so far"),
    max_iterations: z.int().min(1).optional().describe("Iterations it may take"),
    current_phase: z.string().optional().describe("Where it stands, one of seven words"),
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
    ralph_phase_normalized_from: z.string().optional().describe("The older word of its phase"),
  })
  .meta({ title: "OMX mode state", description: "State of one mode, .omx/state/*-state.json" });
export type OmxState = z.infer<typeof OmxState>;

/** A state of ralph with its findings. */
export function checkOmxState(value: unknown): Checked<OmxState> {
  const shape = checkShape(OmxState, value);
  return conclude(shape, shape.kind === "valid" ? ruled(shape.data) : []);
}

/** A state of another mode with its findings; its phases are its own. */
export function checkOmxMode(value: unknown): Checked<OmxState> {
  return conclude(checkShape(OmxState, value), []);
}

function ruled(state: OmxState): Finding[] {
  return [...(state.active ? missingWhileActive(state) : []), ...phaseFindings(state)];
}

const whileActive = ["iteration", "max_iterations", "current_phase", "started_at"] as const;

const missingWhileActive = (state: OmxState) =>
  whileActive
    .filter((key) => state[key] === undefined)
    .map((key) => errorAt([key], "is missing; an active run needs it"));

function phaseFindings({ active, current_phase: word, completed_at }: OmxState): Finding[] {
  if (word === undefined) return [];
  const phase = omxPhase(word);
  if (phase === undefined) {
    const known = phases.join(", ");
    return [errorAt(["current_phase"], `must be one of ${known}, not ${JSON.stringify(word)}`)];
  }
  const isOver = isTerminal(phase);
  return [
    ...(phase === word ? [] : [warningAt(["current_phase"], `is an older word for "${phase}"`)]),
    ...(isOver && active ? [errorAt(["active"], `must be false: phase "${phase}" is an end`)] : []),
    ...(isOver && !active && completed_at === undefined
      ? [warningAt(["completed_at"], "is missing; an ended run needs it")]
      : []),
  ];
}
