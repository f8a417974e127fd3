import * as z from "zod";

/** The sources of work; rights and limits depend on them. */
const triggers = [
  "label",
  "autopilot-label",
  /** A person's command: a comment, a workflow that was started by hand, or the command line. */
  "start-command",
  "report-push",
  "dashboard",
  /** The clock, or a program. */
  "schedule",
] as const;

/** A GitHub account, as events and the API name it. */
export const Actor = z.object({
  login: z.string().regex(/^[\w.-]{1,100}(?:\[bot\])?$/),
  id: z.int(),
  type: z.string().max(40),
});
export type Actor = z.infer<typeof Actor>;

/** A request for work. Jobs, notes, claims, the facts handed from step to step and the autopilot's run embed it unchanged. */
export const WorkRequest = z.object({
  /** `run` works on one issue; `autopilot` chooses among reports. */
  command: z.enum(["run", "autopilot"]),
  /** The name of its claim, such as `issue-12` or `reports`. */
  item: z.string(),
  /** The issue a run works on; for an autopilot the issue or pull request in which it was asked for. */
  issue: z.int().optional(),
  /** An issue the autopilot may choose instead of a report. */
  alternativeIssue: z.int().optional(),
  /** A person commands it, so neither an earlier rejection nor `autopilot.enabled: false` stops it. */
  overridesRejection: z.boolean(),
  /** SHA-256 of what the issue said when it was asked for (T05). */
  textDigest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  trigger: z.enum(triggers),
  /** Who asked; absent for a schedule, and where nobody needs to know. */
  actor: Actor.optional(),
});
export type WorkRequest = z.infer<typeof WorkRequest>;

const commands: readonly WorkRequest["trigger"][] = ["start-command", "dashboard"];

/** A request that overrides rejections exactly when its trigger is a person's command. */
export const createWorkRequest = (
  request: Omit<WorkRequest, "overridesRejection">,
): WorkRequest => ({ ...request, overridesRejection: commands.includes(request.trigger) });

/** The issue whose text the work may follow: that of a run, or the one an autopilot may choose. */
export const issueToRead = ({
  command,
  issue,
  alternativeIssue,
}: WorkRequest): number | undefined => (command === "run" ? issue : alternativeIssue);
