import { renderData, renderLine } from "./data-block.ts";
import type { PromptContext } from "./prompt-context.ts";
import { renderPaths } from "./prompt-task.ts";
import { maxDiff } from "./split-diff.ts";

const maxText = { claim: 6000, detail: 2000 };

/** For the test writer: the files the work changed, and those it may change itself. */
export function renderWorkFiles(context: PromptContext): string {
  const { work, testPaths, fence, isTestsFirst } = context;
  const changed = work.files.map(({ status, path }) => `${status} ${path}`);
  return [
    "# Where you may write",
    "Only files that match one of these patterns:",
    ...testPaths.map((pattern) => `- ${renderLine(pattern, fence)}`),
    `Every other change is put back. ${isTestsFirst ? "Your tests so far:" : "The task changed these files:"}`,
    changed.length > 0 ? renderPaths(changed, fence) : "- none",
  ].join("\n");
}

/** For the implementation, where tests come first: what they say, not what they are. */
export function renderWaitingTests({ waitingTests, fence }: PromptContext): string | undefined {
  if (waitingTests === undefined) return undefined;
  const shown = { label: "failing tests", text: waitingTests, maxLength: maxText.claim };
  return [
    "# Tests that wait for your work",
    "Another agent has written tests of the criteria. You cannot read them, and need none of your own. They fail on the code as it is:",
    renderData(shown, fence),
  ].join("\n");
}

/** For the reviewer: the work, the proved facts, and the criteria only a reader can judge. */
export function renderProvenFacts(context: PromptContext): string {
  const { work, fence } = context;
  return [
    "# What is proved already",
    ...gateLines(context),
    ...criterionLines(context),
    ...(work.flagged.length > 0
      ? [
          `Look at these twice; they can weaken what is checked:\n${renderPaths(work.flagged, fence)}`,
        ]
      : []),
    "",
    "# The work",
    renderData(
      { label: "claim of the implementation", text: work.claim, maxLength: maxText.claim },
      fence,
    ),
    renderData({ label: "diff", text: work.diff, maxLength: maxDiff }, fence),
    ...(work.part ? [partLine(work.part)] : []),
  ].join("\n");
}

/** Each part is judged by itself; other reviewers get the other parts. */
const partLine = ({ number, count }: { number: number; count: number }) =>
  `This is part ${number} of ${count} of the diff; other reviews are given the other parts. Approve if nothing in this part speaks against the task. Read further files where you need them.`;

function gateLines({ work, fence }: PromptContext): string[] {
  const line = ({ gate, status, detail }: PromptContext["work"]["gates"][number]) => {
    const why =
      status === "passed" || detail === ""
        ? ""
        : `: ${renderLine(detail.slice(0, maxText.detail), fence)}`;
    return `- gate ${renderLine(gate, fence)}: ${status}${why}`;
  };
  return work.gates.length > 0 ? work.gates.map(line) : ["- no gate has run"];
}

const verdicts = {
  proved: "proved",
  held: "held before the task began: judge whether the work is what makes it true",
  failed: "does not hold",
  to_judge: "for you to judge",
};

const criterionLines = ({ work, fence }: PromptContext): string[] =>
  work.criteria.map(({ number, text, verdict, detail }) => {
    const why = detail === "" ? "" : ` (${renderLine(detail.slice(0, maxText.detail), fence)})`;
    return `- criterion ${number}, ${renderLine(text, fence)}: ${verdicts[verdict]}${why}`;
  });
