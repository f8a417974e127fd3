import * as z from "zod";
import type { GitHubReader } from "../../autopilot/reports/github-reader.ts";
import type { Issue } from "../../autopilot/reports/report.ts";
import { SteeringCommand } from "../../core/state/steering-command.ts";
import { RalphError } from "../../error.ts";
import type { SteeringComments } from "../../github/issues/read-steering-comments.ts";
import type { OwnPull } from "../../github/pulls/pull.ts";
import type { System } from "../../platform/system.ts";
import { WorkRequest } from "../../schema/work-request.ts";

const Pull: z.ZodType<OwnPull> = z.strictObject({
  run: z.string(),
  item: z.string().optional(),
  report: z.string().optional(),
  number: z.int(),
  url: z.string(),
  title: z.string(),
  state: z.enum(["open", "merged", "rejected"]),
  mergedAt: z.string().nullable(),
});
const RequestedIssue: z.ZodType<Issue> = z.strictObject({
  number: z.int(),
  title: z.string(),
  author: z.string(),
  url: z.string(),
  body: z.string(),
});

/** For an autopilot: ralph's own pull requests, the requested issue, and the request of a new run. */
const GitHubFacts = z.strictObject({
  pulls: z.array(Pull),
  issue: RequestedIssue.exactOptional(),
  request: WorkRequest.exactOptional(),
});
export type GitHubFacts = z.infer<typeof GitHubFacts>;

const Steering: z.ZodType<SteeringComments> = z.strictObject({
  orders: z.array(SteeringCommand),
  dropped: z.array(z.string()),
});

/** The files of the job by which a step with the token hands what it has read to the later steps without it. */
const handoffs = {
  "facts.json": { schema: GitHubFacts, content: "the facts from GitHub" },
  "orders.json": { schema: Steering, content: "the comments of the input orders" },
};
type Handoffs = { [Name in keyof typeof handoffs]: z.infer<(typeof handoffs)[Name]["schema"]> };

/** Ten thousand pull requests and a full issue stay below this. */
const maxBytes = 16 * 1024 * 1024;

type Job = Pick<System, "files" | "env">;

const folderIn = ({ files, env }: Job) => files(env.RUNNER_TEMP || "/tmp");

/** Writes facts for a later step of this job. */
export async function writeHandoff<Name extends keyof Handoffs>(
  job: Job,
  name: Name,
  facts: Handoffs[Name],
): Promise<void> {
  const checked = handoffs[name].schema.parse(facts);
  await folderIn(job).write(`ralph-known/${name}`, `${JSON.stringify(checked)}\n`);
}

/** Reads the facts of an earlier step (exit 1 without them). Callers may trust the form, not the texts. */
export async function readHandoff<Name extends keyof Handoffs>(
  job: Job,
  name: Name,
): Promise<Handoffs[Name]> {
  const { schema, content } = handoffs[name];
  const bytes = await folderIn(job).read(`ralph-known/${name}`, { maxBytes });
  if (bytes) return schema.parse(JSON.parse(bytes.toString("utf8"))) as Handoffs[Name];
  throw new RalphError("config", {
    message: `No earlier step has read ${content}.`,
    remedy: "Use action.yml unchanged: each of its steps needs the one before.",
  });
}

/** Answers from these facts, as the API would have. */
export function readerOfFacts({ pulls, issue }: GitHubFacts): GitHubReader {
  return {
    pulls: async () => pulls,
    issue: async (number) => {
      if (issue?.number === number) return issue;
      throw new Error(`No earlier step has read issue ${number}.`);
    },
  };
}
