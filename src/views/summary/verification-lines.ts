import { codeSpan, escapeMarkdown, escapeTableCell } from "../../text/escape-markdown.ts";
import { renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { repairSentence, repairTable } from "./repair-facts.ts";
import { type TableLines, tableLines } from "./report-parts.ts";
import type { Summary } from "./summary.ts";

/** The facts about the program as it ran, with the place of their pictures. */
export function verificationLines(summary: Summary): string[] {
  const hasPicture = summary.verification?.tests.some(({ picture }) => picture !== null);
  return [...verificationFacts(summary), ...(hasPicture ? ["", pictureNote(undefined)] : [])];
}

/** How the program behaved when it ran, as Markdown: a sentence, red phases, a table of tests; empty when it did not run. */
export function verificationFacts(summary: Summary): string[] {
  const sentence = verificationSentence(summary);
  if (sentence === undefined) return [];
  const red = redPhaseLines(summary);
  const table = testTable(summary) ?? [];
  const files = summary.verification?.phases.flatMap((phase) => phase.files) ?? [];
  const named = files.slice(0, 10).map(codeSpan).join(", ");
  return [
    sentence,
    ...(red.length > 0 ? ["", ...red] : []),
    ...(table.length > 0 ? ["", ...table] : []),
    ...(files.length > 0 ? ["", `Written by its own programs: ${named}.`] : []),
    ...repairLines(summary),
  ];
}

function repairLines(summary: Summary): string[] {
  const sentence = repairSentence(summary);
  return sentence === undefined ? [] : ["", sentence, "", ...(repairTable(summary) ?? [])];
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

/** One row per test of the user interface; undefined when none ran. */
function testTable({ verification }: Summary): TableLines | undefined {
  if (!verification || verification.tests.length === 0) return undefined;
  const rows = verification.tests.map(
    ({ name, framework, status, duration_ms, detail, picture }) => [
      escapeTableCell(name),
      framework,
      status,
      renderDuration(duration_ms),
      escapeTableCell(status === "passed" ? "" : detail.split("\n").slice(0, 8).join(" | ")),
      picture === null ? "-" : codeSpan(picture),
    ],
  );
  return tableLines(["Test", "Framework", "Result", "Time", "Why", "Picture"], rows);
}

/** Red phases without a test of their own, such as a service that did not start. */
function redPhaseLines({ verification }: Summary): string[] {
  const red = verification?.phases.filter(({ status }) => status === "failed") ?? [];
  return red.map(
    ({ phase, detail }) => `- ${names[phase]}: ${escapeMarkdown(plainLine(detail, 1000))}`,
  );
}
