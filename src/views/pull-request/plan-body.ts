import { codeSpan } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type PullMarker, renderPullMarker } from "./pull-marker.ts";
import { escapeLine, escapeProse, type RequestedWork } from "./pull-template.ts";

/** What is told of an autopilot run whose document people read before anything is built. */
export interface PlanBody {
  requested: RequestedWork;
  marker: PullMarker;
  issue?: number | undefined;
  trace?: readonly { source: string }[] | undefined;
  /** Path of the requirements document. */
  document: string | undefined;
}

/** The text of a pull request that holds a document and no work yet; text of models does nothing in it. */
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
    `**Please read ${name}.** Nothing is built yet, and nothing is proved.`,
    "### What was asked",
    `**${escapeLine(priority_item, 200)}**`,
    escapeProse(description, 2000),
    escapeProse(rationale, 1000),
    acceptance_criteria.map((text) => `- ${escapeLine(text)}`).join("\n"),
    "### How to go on",
    [
      `1. Change ${name} on this branch as you like, and nothing else. Lines such as \`- FR-1: …\` become tasks.`,
      "2. Run the autopilot workflow with `resume-from`, the number of the run that opened this, or `git pull` and `ralph autopilot --resume` where it was started.",
      "3. The work comes to this branch and this pull request. Close it to say no.",
    ].join("\n"),
    "### Where it comes from",
    [...sources, `- Run ${codeSpan(marker.run)}`].join("\n"),
    ...(issue === undefined ? [] : [`A part of #${issue}.`]),
    renderPullMarker(marker),
  ]
    .filter((block) => block !== "")
    .join("\n\n")
    .concat("\n");
}
