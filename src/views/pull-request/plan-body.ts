import { codeSpan } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type PullMarker, renderPullMarker } from "./pull-marker.ts";
import { type RequestedWork, requestedBlocks } from "./pull-template.ts";

/** The data of a pull request whose requirements document is reviewed before work starts. */
export interface PlanBody {
  requested: RequestedWork;
  marker: PullMarker;
  issue?: number | undefined;
  trace?: readonly { source: string }[] | undefined;
  document: string | undefined;
}

/** The body of a pull request that holds a document and no work yet. Text of models is escaped. */
export function renderPlanBody({ requested, marker, issue, trace = [], document }: PlanBody) {
  const sources = trace.map(({ source }) => `- ${codeSpan(plainLine(source))}`);
  const name = codeSpan(plainLine(document ?? "the analysis"));
  return [
    `**Please read ${name}.** Nothing is built or proved yet.`,
    "### What was asked",
    ...requestedBlocks(requested),
    "### How to continue",
    [
      `1. Edit ${name} on this branch, and no other file. Lines such as \`- FR-1: …\` become tasks.`,
      "2. Run the autopilot workflow with `resume-from` set to the number of the run that opened this pull request, or run `git pull` and `ralph autopilot --resume` on the machine where it started.",
      "3. The work is pushed to this branch and this pull request. To reject it, close the pull request.",
    ].join("\n"),
    "### Where it comes from",
    [...sources, `- Run ${codeSpan(marker.run)}`].join("\n"),
    ...(issue === undefined ? [] : [`Part of #${issue}.`]),
    `${renderPullMarker(marker)}\n`,
  ].join("\n\n");
}
