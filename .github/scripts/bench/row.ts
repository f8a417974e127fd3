/** A figure and its comparison. `goal` and `figure` have the same unit. */
export type Row = {
  what: string;
  /** The same work without ralph, in words. */
  beside: string;
  ralph: string;
  figure: number;
  unit: "ms more" | "ms" | "times" | "MB" | "kB" | "requests";
  goal?: number;
  /** The goal is the least, not the most. */
  isMoreBetter?: boolean;
};

/** A figure that is shown as it is, or as `more` says. */
export const row = (
  what: string,
  figure: number,
  unit: Row["unit"],
  more: Partial<Row> = {},
): Row => ({
  ...{ what, beside: "", ralph: `${figure.toFixed(0)} ${unit}`, figure, unit },
  ...more,
});

const header = ["", "without ralph", "with ralph", "figure", "goal", ""];

/** Columns as wide as their longest cell. */
export function renderRows(rows: readonly Row[]): string {
  const cells = [header, ...rows.map(cellsOf)];
  const widths = header.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return cells.map(line).join("\n");
}

function cellsOf({ what, beside, ralph, figure, unit, goal, isMoreBetter }: Row): string[] {
  const shown = (value: number) => `${value.toFixed(unit === "times" ? 2 : 0)} ${unit}`;
  if (goal === undefined) return [what, beside, ralph, shown(figure), "", ""];
  return [
    what,
    beside,
    ralph,
    shown(figure),
    `${isMoreBetter ? ">=" : "<="} ${shown(goal)}`,
    (isMoreBetter ? figure >= goal : figure <= goal) ? "met" : "missed",
  ];
}
