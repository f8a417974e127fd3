import * as z from "zod";
import { cut } from "../../text/plain-text.ts";

/** A note beside lines of a file, as GitHub takes it; the path is one of the repository. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  annotation_level: "notice" | "warning" | "failure";
  message: string;
  title?: string;
}

/** The one check run of a session on a commit. Without a conclusion it is still running. */
export interface WantedCheckRun {
  name: string;
  /** `external_id`: the session's id, by which it is found again. */
  sessionId: string;
  head: string;
  conclusion?: "success" | "failure" | "neutral" | "cancelled" | "timed_out" | undefined;
  title: string;
  /** Markdown; what GitHub does not take is cut. */
  summary: string;
  /** In an order that stays the same: those that were sent are not sent again. */
  annotations: readonly CheckAnnotation[];
  detailsUrl?: string | undefined;
}

/** GitHub takes no more in one request, and adds those of each request to what is there. */
const annotationsPerRequest = 50;
const maxSummaryLength = 65_535;

export const CheckRun = z.object({
  id: z.int(),
  html_url: z.string().nullish(),
  external_id: z.string().nullish(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  output: z.object({
    title: z.string().nullish(),
    summary: z.string().nullish(),
    annotations_count: z.int().default(0),
  }),
});
export type CheckRun = z.infer<typeof CheckRun>;
export const CheckRuns = z
  .object({ check_runs: z.array(CheckRun) })
  .transform(({ check_runs: runs }) => runs);

/** How many annotations it has after one more request. */
export const afterOneMore = ({ annotations }: WantedCheckRun, sent: number) =>
  Math.max(sent, Math.min(sent + annotationsPerRequest, annotations.length));

/** Whether it shows what is wanted, annotations aside. */
export function isCurrent(
  { status, conclusion, output }: CheckRun,
  wanted: WantedCheckRun,
): boolean {
  const { title, summary } = outputOf(wanted);
  return (
    status === statusOf(wanted) &&
    (conclusion ?? undefined) === wanted.conclusion &&
    output.title === title &&
    output.summary?.trimEnd() === summary.trimEnd()
  );
}

const statusOf = ({ conclusion }: WantedCheckRun) => (conclusion ? "completed" : "in_progress");

const outputOf = ({ title, summary }: WantedCheckRun) => ({
  title: cut(title, 255),
  summary: cut(summary, maxSummaryLength),
});

/** What a request sends when that many annotations are there already. */
export function checkRunBody(wanted: WantedCheckRun, sent: number) {
  const { conclusion, annotations } = wanted;
  return {
    status: statusOf(wanted),
    ...(conclusion && { conclusion }),
    output: {
      ...outputOf(wanted),
      annotations: annotations.slice(sent, sent + annotationsPerRequest),
    },
  };
}
