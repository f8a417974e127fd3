import type { Json } from "./model.ts";

export type Combination = Record<string, Json>;

/** Every combination of a matrix of lists, the last key changing fastest; one empty combination without a matrix. */
export function combinationsOf(matrix: Json): Combination[] {
  if (matrix === null || typeof matrix !== "object") return [{}];
  return Object.entries(matrix).reduce<Combination[]>(
    (found, [key, values]) => {
      if (!Array.isArray(values) || key === "include" || key === "exclude") {
        throw new Error(`strategy.matrix.${key}: only lists are run here.`);
      }
      return found.flatMap((entry) => values.map((value) => ({ ...entry, [key]: value })));
    },
    [{}],
  );
}

/** `job (a, b)`, as GitHub names the jobs of a matrix. */
export function combinedName(name: string, combination: Combination): string {
  const values = Object.values(combination);
  return values.length === 0 ? name : `${name} (${values.join(", ")})`;
}
