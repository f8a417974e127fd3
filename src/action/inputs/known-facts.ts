import * as z from "zod";
import type { GitHubReader } from "../../autopilot/reports/github-reader.ts";
import type { Issue } from "../../autopilot/reports/issue-report.ts";
import { RalphError } from "../../error.ts";
import type { OwnPull } from "../../github/pulls/find-marked.ts";
import type { Environment, System } from "../../platform/system.ts";
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
const Asked: z.ZodType<Issue> = z.strictObject({
  number: z.int(),
  title: z.string(),
  author: z.string(),
  url: z.string(),
  body: z.string(),
});

const Facts = z.strictObject({
  pulls: z.array(Pull),
  issue: Asked.exactOptional(),
  /** Of a new run. */
  request: WorkRequest.exactOptional(),
});

/** What the step with the token has read for the one without: our own pull requests, and the issue that was asked for. */
const KnownFacts = z.preprocess(upgradeFacts, Facts);
export type KnownFacts = z.infer<typeof Facts>;

const OldFacts = z.looseObject({
  wish: z.strictObject({ issue: z.int().optional(), among: z.boolean(), again: z.boolean() }),
});

/** An earlier version handed on `wish` instead of the request. */
function upgradeFacts(facts: unknown): unknown {
  const old = OldFacts.safeParse(facts).data;
  if (!old) return facts;
  const { wish, ...others } = old;
  const { issue, among, again: overridesRejection } = wish;
  const isRun = issue !== undefined && !among;
  const request = {
    ...{ command: isRun ? "run" : "autopilot", item: isRun ? `issue-${issue}` : "reports", issue },
    alternativeIssue: among ? issue : undefined,
    ...{ overridesRejection, trigger: overridesRejection ? "start-command" : "label" },
  };
  return { ...others, request };
}

const folderOf = ({ RUNNER_TEMP }: Environment) => RUNNER_TEMP || "/tmp";
const file = "ralph-known/facts.json";
/** Ten thousand pull requests and a full issue stay below this. */
const maxBytes = 16 * 1024 * 1024;

type Place = Pick<System, "files" | "env">;

/** Keeps what was read, for the next step of this job. */
export async function writeKnownFacts({ files, env }: Place, facts: KnownFacts): Promise<void> {
  await files(folderOf(env)).write(file, `${JSON.stringify(KnownFacts.parse(facts))}\n`);
}

/** What the download step has kept. Callers may trust its form, and nothing an issue says. */
export async function readKnownFacts({ files, env }: Place): Promise<KnownFacts> {
  const bytes = await files(folderOf(env)).read(file, { maxBytes });
  if (bytes) return KnownFacts.parse(JSON.parse(bytes.toString("utf8")));
  throw new RalphError("config", {
    message: "What GitHub knows was not read before this step.",
    remedy: "Use action.yml as it is: its steps come one after the other.",
  });
}

/** The same answers the API would have given. */
export function knownOutside({ pulls, issue }: KnownFacts): GitHubReader {
  return {
    pulls: async () => pulls,
    issue: async (number) => {
      if (issue?.number === number) return issue;
      throw new Error(`Issue ${number} was not read before.`);
    },
  };
}
