import { errorAt, type Finding } from "../../base/finding.ts";

const namedLevels: Readonly<Record<string, number>> = { high: 1, medium: 2, low: 3 };

/** The priorities of a list's entries, with errors. */
export type Priorities = { values: number[]; findings: Finding[] };

/**
 * The priority an entry states: a number, or high, medium or low as 1, 2, 3; else its position in the list. Numbers beyond
 * the limits are renumbered in their order (compatibility 7).
 */
export function prioritiesOf(said: readonly unknown[]): Priorities {
  const findings: Finding[] = [];
  const values = said.map((value, index) => {
    if (value === undefined || value === null) return index + 1;
    const number = typeof value === "string" ? namedLevels[value.trim().toLowerCase()] : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    findings.push(errorAt([index, "priority"], "must be a number, or high, medium or low"));
    return index + 1;
  });
  const isFit = values.every((value) => Number.isInteger(value) && value >= 1 && value <= 999);
  if (isFit) return { values, findings };
  const levels = [...new Set(values)].toSorted((a, b) => a - b);
  return { values: values.map((value) => levels.indexOf(value) + 1), findings };
}
