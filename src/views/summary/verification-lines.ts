import { codeSpan, escapeMarkdown, escapeTableCell } from "../../text/escape-markdown.ts";
import { counted, orDash, renderCost, renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type TableLines, tableLines } from "./report-parts.ts";
import type { Summary } from "./summary.ts";
import type { RepairSummary } from "./summary-verification.ts";

/** The facts about the program as it ran, with the place of their pictures. */
export function verificationLines(summary: Summary): string[] {
  const hasPicture = summary.verification?.tests.some(({ picture }) => picture !== null);
  return [...verificationFacts(summary), ...(hasPicture ? ["", pictureNote(undefined)] : [])];
}

/** How the program behaved when it ran, as Markdown: a sentence, red phases, a table of tests; empty when it did not run. */
export function verificationFacts(summary: Summary): string[] {
  const sentence = verificationSentence(summary);
  if (sentence === undefined) return [];
  const { phases = [], tests = [] } = summary.verification ?? {};
  const files = phases.flatMap((phase) => phase.files);
  const named = files.slice(0, 10).map(codeSpan).join(", ");
  // Red phases without a test of their own, such as a service that did not start.
  const red = phases
    .filter(({ status }) => status === "failed")
    .map(({ phase, detail }) => `- ${names[phase]}: ${escapeMarkdown(plainLine(detail, 1000))}`);
  const repairs = repairSentence(summary);
  return [
    [sentence],
    red,
    tests.length > 0 ? testTable(tests) : [],
    files.length > 0 ? [`Written by its own programs: ${named}.`] : [],
    repairs === undefined ? [] : [repairs, "", ...repairTable(summary)],
  ].flatMap((lines, at) => (at > 0 && lines.length > 0 ? ["", ...lines] : lines));
}

/** GitHub shows no pictures of an artifact, and accepts no upload of a workflow's token. */
export function pictureNote(runUrl: string | undefined): string {
  const page = codeSpan("report.html");
  const place = runUrl
    ? `${page} in [the session's artifact](${runUrl}#artifacts)`
    : `${page} in the session's artifact, or ${codeSpan("ralph report --html FILE")} on the machine it ran on,`;
  return `Pictures: ${place} shows them, made by the project's own code.`;
}

/** The verification of the program in one sentence; undefined where it was neither verified nor repaired. */
export function verificationSentence({ verification, repairs }: Summary): string | undefined {
  if (!verification) {
    return repairs.length > 0 ? "The last commit was not verified as it runs." : undefined;
  }
  const { status, phases, tests } = verification;
  const red = phases.filter((each) => each.status === "failed").map(({ phase }) => phase);
  const count = (asked: string) => tests.filter((test) => test.status === asked).length;
  const skipped = count("skipped") > 0 ? `, ${count("skipped")} skipped` : "";
  const figures =
    tests.length > 0 ? `: ${count("passed")} of ${tests.length} tests passed${skipped}` : "";
  const ran = phases.map(({ phase }) => names[phase]).join(", ");
  return status === "passed"
    ? `The program was verified as it runs (${ran})${figures}.`
    : `The program was verified as it runs, and ${red.map((phase) => names[phase]).join(", ")} failed${figures}.`;
}

const names = {
  gates: "gates",
  services: "services",
  browser: "browser",
  robot: "Robot Framework",
};

type Tests = NonNullable<Summary["verification"]>["tests"];

function testTable(tests: Tests): TableLines {
  const rows = tests.map(({ name, framework, status, duration_ms, detail, picture }) => [
    escapeTableCell(name),
    framework,
    status,
    renderDuration(duration_ms),
    escapeTableCell(status === "passed" ? "" : detail.split("\n").slice(0, 8).join(" | ")),
    orDash(picture, codeSpan),
  ]);
  return tableLines(["Test", "Framework", "Result", "Time", "Why", "Picture"], rows);
}

type Repairs = Pick<Summary, "repairs">;

const outcomes: Record<RepairSummary["outcome"], string> = {
  kept: "kept",
  unchanged: "changed nothing",
  broke: "taken back",
};

/** How many repairs agents made and what nobody judged about them; undefined without one. */
export function repairSentence({ repairs }: Repairs): string | undefined {
  if (repairs.length === 0) return undefined;
  const kept = repairs.filter(({ outcome }) => outcome === "kept").length;
  const calls = repairs.flatMap((repair) => Object.values(repair.calls));
  const made = `Agents made ${counted(repairs.length, "repair")} after the last task in ${counted(sum(calls), "call")}, ${costOf(repairs)}; ${kept} kept.`;
  if (kept === 0) return made;
  return `${made} On each that was kept, the full gates and every criterion that ralph can check held again. No reviewer has seen it, and criteria that only a reviewer can judge were not judged again.`;
}

const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);

function costOf(repairs: readonly RepairSummary[]): string {
  const known = repairs.flatMap(({ cost_usd }) => cost_usd ?? []);
  return known.length === 0 ? "cost unknown" : renderCost(sum(known));
}

/** The cells of each repair, as plain text. */
export const repairCells = ({ repairs }: Repairs): string[][] =>
  repairs.map((repair) => [
    repair.what,
    `${outcomes[repair.outcome]}: ${repair.result.slice(0, 300)}`,
    repair.files.slice(0, 5).join(", ") || "-",
    Object.entries(repair.calls)
      .map(([role, count]) => (count === 1 ? role : `${role} (${count})`))
      .join(", "),
    orDash(repair.cost_usd, renderCost),
    orDash(repair.commit),
  ]);

export const repairHead = ["What failed", "Outcome", "Files", "Calls", "Cost", "Commit"];

function repairTable(summary: Repairs): TableLines {
  const rows = repairCells(summary).map((cells) => {
    const commit = cells.at(-1) ?? "-";
    const shown = cells.slice(0, -1).map(escapeTableCell);
    return [...shown, commit === "-" ? commit : codeSpan(commit)];
  });
  return tableLines(repairHead, rows);
}
