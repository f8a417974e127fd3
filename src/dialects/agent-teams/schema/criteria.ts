const item = /^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
/** A step of a scenario that continues the previous line. */
const laterStep = /^\W*(?:when|then|and|but)\b/i;
const given = /\bgiven\b/i;

/** Reads the request in a task's file, without examples in fences, comments and rules for authors. */
export function readTeamTaskText(text: string) {
  const lines = shownLines(text);
  const heading = lines.map((line) => /^#\s+(.*)$/.exec(line)?.[1]).find((each) => each);
  const strategy = /^\W*Scenario-Strategy\W*:\W*([\w-]+)/im.exec(lines.join("\n"))?.[1];
  return {
    title: heading?.replace(/^Task:\s*/i, "").trim(),
    description: sectionOf(lines, "Description").join("\n").trim(),
    criteria: criteriaIn(sectionOf(lines, "Acceptance Criteria")),
    /** `not-applicable`: its completion needs no tests (compatibility 5). */
    scenarioStrategy: strategy?.toLowerCase(),
  };
}

function sectionOf(lines: readonly string[], name: string): string[] {
  const from = lines.findIndex((line) => line.trim().toLowerCase() === `## ${name.toLowerCase()}`);
  if (from < 0) return [];
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^##?\s/.test(line) || /^---+\s*$/.test(line));
  return to < 0 ? rest : rest.slice(0, to);
}

/** One criterion for each item with its steps, whether these are lines, items below a title, or separate items. */
function criteriaIn(lines: readonly string[]): string[] {
  const criteria: string[][] = [];
  for (const line of withoutRules(lines)) {
    const text = plain(line);
    if (text === "") continue;
    if (beginsCriterion(line, criteria.at(-1))) criteria.push([text]);
    else criteria.at(-1)?.push(text);
  }
  return criteria.map((parts) => parts.reduce(joined));
}

/** Removes a template's rules for authors: a label such as `**Constraints:**` and the list right below it. */
function withoutRules(lines: readonly string[]): string[] {
  let isRule = false;
  return lines.filter((line) => {
    if (/^\*\*(?:constraints|format example|note)\b/i.test(line)) isRule = true;
    else if (line.trim() === "") isRule = false;
    return !isRule;
  });
}

function beginsCriterion(line: string, open: readonly string[] | undefined): boolean {
  if (/^###\s/.test(line)) return true;
  if (!item.test(line)) return false;
  const text = plain(line);
  if (open === undefined) return true;
  // Separate steps below a title, or after a `Given`.
  const isTitled = open.length === 1 && !given.test(open.join(" "));
  return !laterStep.test(text) && !(isTitled && given.test(text) && !/^\d/.test(line));
}

function plain(line: string): string {
  const text = line.trim().replace(/^###\s+(?:\d+[.)]\s*)?/, "");
  return (item.exec(text)?.[1] ?? text).replaceAll("**", "").replace(/\s+/g, " ").trim();
}

const joined = (before: string, next: string) =>
  /[.,:;!?]$/.test(before) ? `${before} ${next}` : `${before}, ${next}`;

function shownLines(text: string): string[] {
  let isFenced = false;
  return text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split(/\r?\n/)
    .filter((line) => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      if (isFence) isFenced = !isFenced;
      return !isFence && !isFenced;
    });
}
