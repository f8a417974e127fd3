import { codeSpan } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type PullMarker, renderPullMarker } from "./pull-marker.ts";
import { escapeLine, escapeProse, type RequestedWork } from "./pull-template.ts";

/** The data of a pull request whose requirements document is reviewed before work starts. */
export interface PlanBody {
  requested: RequestedWork;
  marker: PullMarker;
  issue?: number | undefined;
  trace?: readonly { source: string }[] | undefined;
  document: string | undefined;
}

/** The body of a pull request that holds a document and no work yet. Text of models is escaped. */
export function renderPlanBody({
  requested: asked,
  marker,
  issue,
  trace = [],
  document,
}: PlanBody): string {
  const { priority_item, description, rationale = "", acceptance_criteria = [] } = asked;
  const sources = trace.map(({ source }) => `- ${codeSpan(plainLine(source))}`);
  const name = codeSpan(plainLine(document ?? "the analysis"));
  return [
    `**Please read ${name}.** Nothing is built or proved yet.`,
    "### What was asked",
    `**${escapeLine(priority_item, 200)}**`,
    escapeProse(description, 2000),
    escapeProse(rationale, 1000),
    acceptance_criteria.map((text) => `- ${escapeLine(text)}`).join("\n"),
    "### How to continue",
    [
      `1. Edit ${name} on this branch, and no other file. Lines such as \`- FR-1: …\` become tasks.`,
      "2. Run the autopilot workflow with `resume-from` set to the number of the run that opened this pull request, or run `git pull` and `ralph autopilot --resume` on the machine where it started.",
      "3. The work is pushed to this branch and this pull request. To reject it, close the pull request.",
    ].join("\n"),
    "### Where it comes from",
    [...sources, `- Run ${codeSpan(marker.run)}`].join("\n"),
    ...(issue === undefined ? [] : [`Part of #${issue}.`]),
    renderPullMarker(marker),
  ]
    .filter((block) => block !== "")
    .join("\n\n")
    .concat("\n");
}
