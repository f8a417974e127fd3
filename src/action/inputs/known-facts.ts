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
const Asked: z.ZodType<Issue> = z.strictObject({
  number: z.int(),
  title: z.string(),
  author: z.string(),
  url: z.string(),
  body: z.string(),
});

/** Facts the step with the token reads for the steps without it: ralph's own pull requests, and the requested issue. */
const KnownFacts = z.strictObject({
  pulls: z.array(Pull),
  issue: Asked.exactOptional(),
  /** Of a new run. */
  request: WorkRequest.exactOptional(),
});

export type KnownFacts = z.infer<typeof KnownFacts>;

const handoff: Handoff<KnownFacts> = {
  name: "facts.json",
  schema: KnownFacts,
  missing: "No earlier step has read the facts from GitHub.",
};

type Job = Pick<System, "files" | "env">;

export const writeKnownFacts = (job: Job, facts: KnownFacts) => writeHandoff(job, handoff, facts);

export const readKnownFacts = (job: Job) => readHandoff(job, handoff);

/** Answers from these facts, as the API would have. */
export function knownOutside({ pulls, issue }: KnownFacts): GitHubReader {
  return {
    pulls: async () => pulls,
    issue: async (number) => {
      if (issue?.number === number) return issue;
      throw new Error(`No earlier step has read issue ${number}.`);
    },
  };
}
