import { plainLine } from "../../src/text/plain-text.ts";
import type { SetupFile } from "./setup-files.ts";

/** Hidden marker of the setup pull request. */
export const setupMarker = "<!-- ralph:setup -->";

export const setupTitle = "Set up ralph";

export interface SetupPullContent {
  /** The detected technologies, such as `Node.js (npm)`. */
  found: readonly string[];
  gates: readonly { name: string; cmd: string }[];
  files: readonly Pick<SetupFile, "path">[];
  /** A workflow that the App may not write, so that a person must add it. */
  byHand: SetupFile | undefined;
  /** The issue label that starts a run. */
  label: string;
}

/** The text of the setup pull request: its effect, the next steps, the cost, and how to decline. Pure. */
export function renderSetupPull({ found, gates, files, byHand, label }: SetupPullContent): string {
  const parts = [
    setupMarker,
    "**Merge this to enable ralph; close it, and nothing happens.** ralph takes an issue or a report, lets a coding agent work on it task by task, proves each task with the commands below, and opens a pull request. It never merges anything.",
    ["### Files", "", ...files.map(({ path }) => `- \`${path}\``)].join("\n"),
    gatesPart(found, gates),
    byHand ? handPart(byHand) : "",
    afterPart(label, byHand !== undefined),
    costPart,
    noPart,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function gatesPart(found: SetupPullContent["found"], gates: SetupPullContent["gates"]): string {
  const seen = found.length > 0 ? `Detected: ${found.map(code).join(", ")}. ` : "";
  if (gates.length === 0) {
    return `### How ralph decides that a task is done\n\n${seen}**No command was found that checks this project.** Add at least your tests to \`gates\` in \`.ralph/ralph.yml\` before you merge: otherwise only acceptance criteria and a review decide.`;
  }
  const lines = gates.map(({ name, cmd }) => `- ${code(name)}: ${code(cmd)}`);
  return `### How ralph decides that a task is done\n\n${seen}A task is done when all of these commands succeed, also on a fresh machine. Correct them in \`.ralph/ralph.yml\` if necessary.\n\n${lines.join("\n")}`;
}

function handPart({ path, content }: SetupFile): string {
  return `### One file to add by hand\n\nThe App may not write workflows here. Add \`${path}\` to the default branch yourself; nothing can start without it.\n\n${fenced(content)}`;
}

function afterPart(label: string, isByHand: boolean): string {
  const steps = [
    "Add the repository secret `ANTHROPIC_API_KEY` (Settings, Secrets and variables, Actions). The agents run in your own GitHub Actions with your own key; the App never sees it.",
    ...(isByHand ? ["Add the workflow above."] : []),
    "Merge. There is no schedule until you set `autopilot.schedule`; a report that is pushed to `reports/` starts a run, unless `triggers.reports` is false.",
    `Add the label ${code(label)} to an issue, or write \`/ralph run\` in it. This needs write permission.`,
    "ralph comments its progress in the issue; a pull request follows, first as a draft.",
  ];
  const lines = steps.map((step, index) => `${index + 1}. ${step}`);
  return `### After the merge\n\n${lines.join("\n")}`;
}

const costPart = [
  "### Cost",
  "",
  "The model's provider charges your key, and GitHub Actions minutes are used. There is no limit in US dollars by default; in `.ralph/ralph.yml`, `limits.budget_usd` limits a run and `limits.budget_usd_per_day` a day. By default at most 10 runs start per day (`limits.runs_per_day`), and one pull request is open at a time (`limits.open_prs`).",
].join("\n");

const noPart = [
  "### How to decline",
  "",
  "Close this pull request: it is not opened again, and nothing starts without `.ralph/ralph.yml`. Later, `/ralph pause` in any issue stops everything, and with `autopilot.enabled: false` only comments start runs.",
].join("\n");

/** Names and commands of the repository, as code that they cannot end. */
const code = (text: string) => `\`${plainLine(text, 200).replaceAll("`", "'")}\``;

/** The fence is longer than any in the content. */
function fenced(content: string): string {
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}yaml\n${content}${fence}`;
}
