import { plainLine } from "../../src/text/plain-text.ts";
import type { SetupFile } from "./setup-files.ts";

/** The one pull request a repository gets from the App by itself; nobody sees the marker on the page. */
export const setupMarker = "<!-- ralph:setup -->";

export const setupTitle = "Set up ralph";

export interface SetupPullContent {
  /** What was recognised, such as `Node.js (npm)`. */
  found: readonly string[];
  gates: readonly { name: string; cmd: string }[];
  files: readonly Pick<SetupFile, "path">[];
  /** A workflow the App may not write: somebody adds it by hand. */
  byHand: SetupFile | undefined;
  /** Issue label that starts a run. */
  label: string;
}

/** What the first pull request says: what it does, what may follow, what it costs, and how to say no. Pure. */
export function renderSetupPull({ found, gates, files, byHand, label }: SetupPullContent): string {
  const parts = [
    setupMarker,
    "**Merge this and ralph works here; close it and nothing ever happens.** ralph takes an issue or a report, lets a coding agent do the work task by task, proves each with the commands below, and opens a pull request. It never merges anything.",
    ["### What is in it", "", ...files.map(({ path }) => `- \`${path}\``)].join("\n"),
    gatesPart(found, gates),
    byHand ? handPart(byHand) : "",
    afterPart(label, byHand !== undefined),
    costPart,
    noPart,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function gatesPart(found: SetupPullContent["found"], gates: SetupPullContent["gates"]): string {
  const seen = found.length > 0 ? `Recognised: ${found.map(inert).join(", ")}. ` : "";
  if (gates.length === 0) {
    return `### What decides that something is done\n\n${seen}**No command was found that checks this project.** Put at least your tests into \`gates\` of \`.ralph/ralph.yml\` before you merge: without them only criteria and a review decide.`;
  }
  const lines = gates.map(({ name, cmd }) => `- ${inert(name)}: ${inert(cmd)}`);
  return `### What decides that something is done\n\n${seen}A task is done when all of these succeed, also on a fresh machine. Correct them in \`.ralph/ralph.yml\` where they are wrong.\n\n${lines.join("\n")}`;
}

function handPart({ path, content }: SetupFile): string {
  return `### One file to add by hand\n\nThe App may not write workflows here. Add \`${path}\` to the default branch yourself: without it nothing can start.\n\n${fenced(content)}`;
}

function afterPart(label: string, isByHand: boolean): string {
  const steps = [
    "Add the repository secret `ANTHROPIC_API_KEY` (Settings, Secrets and variables, Actions). Agents work in your own GitHub Actions, with your own key; the App never sees it.",
    ...(isByHand ? ["Add the workflow above."] : []),
    "Merge. There is no schedule until `autopilot.schedule` is set; a report that somebody pushes to `reports/` starts a run, unless `triggers.reports` is false.",
    `Put the label ${inert(label)} on an issue, or write \`/ralph run\` in it. Only people with write permission can.`,
    "The issue tells how it goes; a pull request follows, first as a draft.",
  ];
  const lines = steps.map((step, index) => `${index + 1}. ${step}`);
  return `### What happens after the merge\n\n${lines.join("\n")}`;
}

const costPart = [
  "### What it may cost",
  "",
  "Whatever the model's provider charges your key, and minutes of GitHub Actions. No limit in US dollars is set; these keys of `.ralph/ralph.yml` set one, `limits.budget_usd` for a run and `limits.budget_usd_per_day` for a day. Unless it says otherwise, at most 10 runs start on a day (`limits.runs_per_day`), and one pull request is open at a time (`limits.open_prs`).",
].join("\n");

const noPart = [
  "### How to say no",
  "",
  "Close this pull request: it is not opened again, and without `.ralph/ralph.yml` nothing starts. Later, `/ralph pause` in any issue stops everything, and `autopilot.enabled: false` leaves only what somebody asks for in a comment.",
].join("\n");

/** Names and commands of the repository, as code nothing breaks out of. */
const inert = (text: string) => `\`${plainLine(text, 200).replaceAll("`", "'")}\``;

/** A fence is longer than any within. */
function fenced(content: string): string {
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}yaml\n${content}${fence}`;
}
