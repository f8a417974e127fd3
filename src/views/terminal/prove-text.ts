import type { BaseProof, HeadProof, ProofStep, ProvedWork } from "../../core/checks/prove.ts";
import { nameOfPart, type ProvedProgram, testsOf } from "../../core/checks/proved-program.ts";
import { codeSpan, escapeMarkdown, escapeTableCell } from "../../text/escape-markdown.ts";
import { counted, renderDuration, shortCommit } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";

/** `✓ gate test, 4.5 s`; the reason for a failure follows. */
export function renderProofStep(step: ProofStep): string {
  if (step.kind === "work") return renderWork(step);
  const { ok, because } = step;
  const line = `${signOf(step)} ${nameOf(step)}${step.merged ? ", merged" : ""}`;
  if (because === undefined) return line;
  return ok ? `${line} (${plainLine(because)})` : `${line}\n${indented(because)}`;
}

/** A test that was skipped has shown nothing. */
const signOf = (step: { ok: boolean; phase?: string; status?: string }) =>
  step.phase !== undefined && step.status === "skipped" ? "·" : step.ok ? "✓" : "✗";

function renderWork({ task, findings, refusal }: ProvedWork): string {
  const open = findings.filter(({ kind }) => kind === "finding").map(({ message }) => message);
  const line = `${refusal ? "✗" : "✓"} proof of the work of ${task}`;
  const lines = [...(refusal ? [refusal] : []), ...open];
  return lines.length === 0 ? line : `${line}\n${indented(lines.join("\n"))}`;
}

function nameOf(step: Exclude<ProofStep, { kind: "work" }>): string {
  if (step.kind === "program") {
    return `${plainLine(nameOfPart(step), 200)}, ${renderDuration(step.ms)}`;
  }
  if (step.kind === "criterion") {
    return `${step.task} criterion ${step.index}: ${plainLine(step.text)}`;
  }
  const word = step.kind === "setup" ? "setup step" : "gate";
  return `${word} ${plainLine(step.name, 60)}, ${renderDuration(step.ms)}`;
}

/** After a bar: a runner also executes commands in indented lines (T53). */
const indented = (text: string) =>
  plainText(text)
    .trim()
    .split("\n")
    .map((line) => `    | ${plainLine(line)}`)
    .join("\n");

/** The verdict of a proof; `store` is the folder with its outputs. */
export function renderVerdict(proof: HeadProof, store: string): string {
  const problems = proof.problems.map((problem) => `✗ ${plainLine(problem)}`);
  const { setup, gates, criteria, program } = proof;
  const hasRun = [...setup, ...gates, ...criteria, ...(program?.parts ?? [])].length > 0;
  const kept = hasRun ? [`Their output is in ${store}/proof/evidence.`] : [];
  return [
    ...problems,
    verdict(proof),
    ...missingVerdict(program),
    ...pictureLines(program, store),
    ...findingVerdict(proof),
    ...baseVerdict(proof.base),
    ...kept,
  ].join("\n");
}

const missingVerdict = (program: ProvedProgram | undefined): string[] =>
  program === undefined || program.missing.length === 0
    ? []
    : [`Not run on this machine: ${plainLine(program.missing.join(", "), 500)}.`];

const maxPictures = 10;

const pictureLines = (program: ProvedProgram | undefined, store: string): string[] =>
  (program?.parts ?? [])
    .flatMap((part) => (part.picture && !part.ok ? [{ ...part, picture: part.picture }] : []))
    .slice(0, maxPictures)
    .map(
      ({ picture, ...part }) =>
        `Picture of ${plainLine(nameOfPart(part), 200)}: ${store}/proof/evidence/${picture.sha256}`,
    );

function findingVerdict({ work = [] }: HeadProof): string[] {
  const open = work.flatMap(({ findings }) => findings).filter(({ kind }) => kind === "finding");
  return open.length === 0
    ? []
    : [`${counted(open.length, "finding")} in the work: people should look at it.`];
}

function verdict(proof: HeadProof): string {
  const head = `Head ${shortCommit(proof.head)}`;
  const results = [...proof.gates, ...proof.criteria, ...(proof.program?.parts ?? [])];
  const red = results.filter(({ ok }) => !ok).length;
  if (proof.kind === "proved") return `${head} is proved by ${describeChecks(proof)}.`;
  if (red === 0) return `${head} is REFUTED.`;
  return `${head} is REFUTED: ${red} of ${counted(results.length, "result")} red, from ${describeChecks(proof)}.`;
}

/** The verdict on a merge with the base branch, if that has new commits. */
function baseVerdict(base: BaseProof | undefined): string[] {
  return !base || base.kind === "current" ? [] : [mergeVerdict(base)];
}

function mergeVerdict({ kind, branch, commit, conflicts, ...results }: BaseProof): string {
  const at = `${plainLine(branch)} (${shortCommit(commit)})`;
  switch (kind) {
    case "current":
      return `It contains all of ${at}.`;
    case "unknown":
      return `This clone does not show whether it merges with ${at}.`;
    case "conflict":
      return `It CONFLICTS with ${at} in ${counted(conflicts.length, "file")}: ${plainLine(conflicts.join(", "), 500)}.`;
    case "green":
      return `It also holds merged with ${at}.`;
    case "red": {
      const { setup, gates, criteria, program } = results;
      const all = [...setup, ...gates, ...criteria, ...(program?.parts ?? [])];
      const red = all.filter(({ ok }) => !ok).length;
      return `It does NOT hold merged with ${at}: ${counted(red, "result")} red.`;
    }
  }
}

function describeChecks({ gates, criteria, program, start, sandbox }: HeadProof): string {
  const tests = program ? testsOf(program).length : 0;
  const parts = [
    counted(gates.length, "gate"),
    criteriaCounted(criteria.length),
    ...(tests > 0 ? [`${counted(tests, "test")} of the user interface`] : []),
  ];
  const checks = `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  const where = `in a fresh clone, ${sandbox === "off" ? "without a sandbox" : "in the sandbox"}`;
  return `${checks} of start commit ${shortCommit(start)}, ${where}`;
}

const criteriaCounted = (count: number) => `${count} checkable criteri${count === 1 ? "on" : "a"}`;

/** The proof as the page of a job, with a table of all checks; text of gates and criteria is escaped. */
export function renderProofPage(proof: HeadProof): string {
  const sign = proof.kind === "proved" ? "✓" : "✗";
  const problems = proof.problems.map((problem) => `- ${escapeMarkdown(plainLine(problem, 500))}`);
  const rows = [...rowsOf(proof, ""), ...(proof.base ? rowsOf(proof.base, " (merged)") : [])];
  const table = ["| | Check | Time | Reason |", "| --- | --- | --- | --- |", ...rows];
  const parts = [
    [`## ${sign} ralph: ${proof.kind} in a clean room`],
    [`${verdict(proof)} It ran without an agent or a model key.`],
    missingVerdict(proof.program).map(escapeMarkdown),
    baseVerdict(proof.base).map(escapeMarkdown),
    problems,
    findingRows(proof),
    rows.length > 0 ? table : [],
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

const findingRows = ({ work = [] }: HeadProof): string[] =>
  work.flatMap(({ task, findings }) =>
    findings
      .filter(({ kind }) => kind === "finding")
      .map(({ message }) => `- ${task}: ${escapeMarkdown(plainLine(message, 500))}`),
  );

function rowsOf(
  { setup, gates, criteria, program }: Pick<HeadProof, "setup" | "gates" | "criteria" | "program">,
  where: string,
): string[] {
  return [
    ...setup.map((step) => row(`setup step ${codeSpan(step.name)}${where}`, step)),
    ...gates.map((gate) => row(`gate ${codeSpan(gate.name)}${where}`, gate)),
    ...criteria.map((each) =>
      row(
        `${each.task} criterion ${each.index}${where}: ${escapeTableCell(plainLine(each.text))}`,
        each,
      ),
    ),
    ...(program?.parts ?? []).map((part) =>
      row(`${escapeTableCell(plainLine(nameOfPart(part), 200))}${where}`, part),
    ),
  ];
}

function row(
  check: string,
  step: Parameters<typeof signOf>[0] & { ms?: number; because?: string },
) {
  const { ms, because } = step;
  const time = ms === undefined ? "" : renderDuration(ms);
  const reason = because === undefined ? "" : escapeTableCell(plainLine(because));
  return `| ${signOf(step)} | ${check} | ${time} | ${reason} |`;
}
