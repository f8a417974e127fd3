import { renderSecretForms } from "./secret-values.ts";

/** The mark for output omitted between head and tail. */
export const renderCut = (bytes: number): string => `\n[... ${bytes} bytes left out ...]\n`;

/** Matches every cut mark; the group keeps it when splitting. */
const cutPattern = /(\n\[\.\.\. \d+ bytes left out \.\.\.\]\n)/;

export type Redactor = (text: string) => string;

const mask = "***";

/** Token formats of vendors. Each pattern is linear: a fixed prefix, then one run of characters. */
const vendorShapes = [
  "gh[pousr]_[A-Za-z0-9_.-]{16,}",
  "github_pat_[A-Za-z0-9_]{16,}",
  "sk-[A-Za-z0-9_-]{16,}",
  "(?:AKIA|ASIA)[A-Z0-9]{16}",
  "xox[a-z]-[A-Za-z0-9-]{10,}",
];
const vendorPattern = new RegExp(`(?<![A-Za-z0-9])(?:${vendorShapes.join("|")})`, "g");
/**
 * Replaces whole secrets (T26) in all their usual forms, and everything that looks like a vendor's token. Where output was
 * cut (`renderCut`), pieces of known secrets and runs of token characters next to the cut are replaced too. Linear in the
 * text (T62).
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = renderSecretForms(secrets);
  return (text) => {
    const clean = replaceForms(text, forms).replace(vendorPattern, mask);
    return clean.split(cutPattern).map(toEdgeCleaner(forms)).join("");
  };
}

type Span = { start: number; end: number };

function replaceForms(text: string, forms: readonly string[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of mergeSpans(forms.flatMap((form) => findAll(text, form)))) {
    pieces.push(text.slice(from, start), mask);
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

function findAll(text: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
    addSpan(spans, { start, end: start + form.length });
  }
  return spans;
}

function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.sort((one, other) => one.start - other.start)) addSpan(merged, span);
  return merged;
}

/** Overlapping secrets become one span, so that no part of the second one remains. */
function addSpan(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
  else spans.push(span);
}

/** For `map` over a text split at its cut marks, which have odd indexes. */
const toEdgeCleaner =
  (forms: readonly string[]) =>
  (part: string, index: number, { length }: readonly string[]): string => {
    if (index % 2 === 1) return part;
    const start = index === 0 ? 0 : measureCutSecret(part, { forms, edge: "start" });
    const end = index === length - 1 ? 0 : measureCutSecret(part, { forms, edge: "end" });
    const inner = part.slice(start, Math.max(start, part.length - end));
    return `${start > 0 ? mask : ""}${inner}${end > 0 ? mask : ""}`;
  };

type Edge = "start" | "end";

/** A run of token characters at an edge; real tokens are shorter than its limit. */
const tokenRuns: Record<Edge, RegExp> = {
  start: /^[\w.+/=~-]{1,1024}/,
  end: /[\w.+/=~-]{1,1024}$/,
};
/** A single character at an edge would match everywhere. */
const shortestPiece = 2;

/** Characters at a cut edge that may belong to a secret: a piece of a form, or a run of token characters. Pure. */
function measureCutSecret(part: string, { forms, edge }: { forms: readonly string[]; edge: Edge }) {
  const near = edge === "start" ? part.slice(0, 1024) : part.slice(-1024);
  const run = tokenRuns[edge].exec(near)?.[0].length ?? 0;
  return forms.reduce(
    (longest, form) => Math.max(longest, measurePiece(part, { form, edge })),
    run,
  );
}

function measurePiece(part: string, { form, edge }: { form: string; edge: Edge }): number {
  for (let length = Math.min(form.length - 1, part.length); length >= shortestPiece; length--) {
    const isPiece =
      edge === "start"
        ? part.startsWith(form.slice(-length))
        : part.endsWith(form.slice(0, length));
    if (isPiece) return length;
  }
  return 0;
}
