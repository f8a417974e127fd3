import * as z from "zod";
import type { GitHubReader } from "../../autopilot/reports/github-reader.ts";
import type { Issue } from "../../autopilot/reports/issue-report.ts";
import type { OwnPull } from "../../github/pulls/find-marked.ts";
import type { System } from "../../platform/system.ts";
import { WorkRequest } from "../../schema/work-request.ts";
import { type Handoff, readHandoff, writeHandoff } from "./step-handoff.ts";

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

/** Facts the step with the token reads for the steps without it: ralph's own pull requests, and the requested issue. */
const GitHubFacts = z.strictObject({
  pulls: z.array(Pull),
  issue: RequestedIssue.exactOptional(),
  /** Of a new run. */
  request: WorkRequest.exactOptional(),
});

export type GitHubFacts = z.infer<typeof GitHubFacts>;

const handoff: Handoff<GitHubFacts> = {
  name: "facts.json",
  schema: GitHubFacts,
  missing: "No earlier step has read the facts from GitHub.",
};

type Job = Pick<System, "files" | "env">;

export const writeGitHubFacts = (job: Job, facts: GitHubFacts) => writeHandoff(job, handoff, facts);

export const readGitHubFacts = (job: Job) => readHandoff(job, handoff);

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
