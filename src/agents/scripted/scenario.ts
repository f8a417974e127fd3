import * as z from "zod";
import { type Role, Role as RoleName, roles } from "../../core/state/roles.ts";

const path = z.string().min(1).describe("A file below the work tree");
const content = z.strictObject({ path, text: z.string() });
const milliseconds = z.int().min(0).max(600_000);

/** One thing a scripted agent does. Each step has exactly one of these keys. */
const ScenarioStep = z.union([
  z.strictObject({ write: content.describe("Create or replace a file") }),
  z.strictObject({ append: content.describe("Add to the end of a file") }),
  z.strictObject({ remove: path.describe("Delete a file") }),
  z.strictObject({ run: z.string().min(1).describe("Run a bash command; its result is ignored") }),
  z.strictObject({ sleep: milliseconds.describe("Wait so many milliseconds") }),
  z.strictObject({
    say: z.string().describe("Print text while working; without `stream` it is part of the answer"),
  }),
  z.strictObject({ exit: z.int().min(0).max(255).describe("End at once with this exit code") }),
  z.strictObject({ crash: z.literal(true).describe("Die at once, by SIGKILL") }),
]);
export type ScenarioStep = z.infer<typeof ScenarioStep>;

/** The agent's actions in one call, and its final message. */
export const Performance = z.strictObject({
  do: z.array(ScenarioStep).default([]).describe("Steps, in order"),
  say: z
    .string()
    .default("")
    .describe(
      "Final message. {done}, {tests}, {approved} and {rejected} become the signal with the token of the prompt; {subtask T-001.1}, {token} and {task} are filled in too",
    ),
  sections: z
    .record(z.string(), z.string())
    .default({})
    .describe("Body of the signal: title and text of each section, such as Changes"),
  cost_usd: z.number().min(0).optional().describe("Cost to report; needs `stream: true`"),
  turns: z.int().min(0).optional().describe("Turns to report; needs `stream: true`"),
});
export type Performance = z.infer<typeof Performance>;

const Call = Performance.extend({
  task: z.string().optional().describe("Only for this task. Default: any"),
  role: RoleName.optional().describe("Only for this role. Default: any"),
  attempt: z
    .int()
    .min(1)
    .optional()
    .describe("Only for this call of the role for the task, counted from 1"),
});

/** A scenario of the `scripted` driver. Matching calls of a role for a task are played once each; then its default. */
export const Scenario = z.strictObject({
  thinking_ms: milliseconds.default(0).describe("Wait before every step, to look alive in a demo"),
  stream: z
    .boolean()
    .default(false)
    .describe("Print events as the claude program does, with cost and turns"),
  calls: z.array(Call).default([]).describe("Performances for particular calls"),
  defaults: z
    .partialRecord(z.enum(roles), Performance)
    .default({})
    .describe("What a role does when no call matches"),
});
export type Scenario = z.infer<typeof Scenario>;

/** Identifies the call, from RALPH_TASK_ID, RALPH_ROLE and RALPH_ATTEMPT. */
export interface Cue {
  task: string;
  role: Role;
  attempt: number;
}

/** Most attempts of a task; limits the replay below. */
const maxAttempts = 10_000;

/** Replays the earlier attempts to find the performance of this one, because the program has no memory. Pure. */
export function choosePerformance(scenario: Scenario, cue: Cue): Performance | undefined {
  const left = scenario.calls.filter(
    ({ task = cue.task, role = cue.role }) => task === cue.task && role === cue.role,
  );
  for (let attempt = 1; attempt <= Math.min(cue.attempt, maxAttempts); attempt++) {
    const at = left.findIndex((call) => (call.attempt ?? attempt) === attempt);
    const [chosen] = at === -1 ? [] : left.splice(at, 1);
    if (attempt === cue.attempt && chosen) return chosen;
  }
  return scenario.defaults[cue.role];
}
