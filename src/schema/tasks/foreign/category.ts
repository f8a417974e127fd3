import { nearest } from "../../base/nearest.ts";
import { shorten } from "./words.ts";

/** First and last priority of a category's tasks (compatibility 1.19); those without a band of their own go with features. */
const bands: Readonly<Record<string, readonly [first: number, last: number]>> = {
  setup: [1, 10],
  backend: [11, 30],
  feature: [31, 60],
  frontend: [61, 80],
  integration: [81, 90],
  testing: [91, 95],
  documentation: [96, 99],
};
const unbanded = ["fix", "refactor", "infrastructure"];
const categories = [...Object.keys(bands), ...unbanded];

/** What is odd about a category; undefined for one everybody knows. */
export function oddCategory(name: string): string | undefined {
  if (categories.includes(name)) return undefined;
  const meant = meantBy(name);
  const hint = meant ? `did you mean "${meant}"?` : `there are ${categories.join(", ")}`;
  return `is "${shorten(name, 60)}", which is no known category; ${hint}`;
}

/** `test` is testing. */
function meantBy(name: string): string | undefined {
  const begin = name.toLowerCase().replace(/s$/, "");
  const begun = categories.find((each) => begin !== "" && each.startsWith(begin));
  return nearest(name, categories) ?? begun;
}

const bandOf = (category = "") => bands[meantBy(category) ?? ""] ?? [31, 60];

/** A priority for each category of a list: its band, and inside it the order of the list, as far as there is room. */
export function priorityByCategory(list: readonly (string | undefined)[]): number[] {
  const used = new Map<number, number>();
  return list.map((category) => {
    const [first, last] = bandOf(category);
    const count = used.get(first) ?? 0;
    used.set(first, count + 1);
    return Math.min(first + count, last);
  });
}

/** The category whose band a priority lies in. */
export function categoryOf(priority: number): string {
  const found = Object.entries(bands).find(([, [, last]]) => priority <= last);
  return found?.[0] ?? "documentation";
}

/** What a task's notes say about where it comes from. */
export function renderOrigin(id: string | undefined, category: string | undefined): string {
  const from = id === undefined ? "" : `Imported from ${id}.`;
  return [from, category === undefined ? "" : `Category: ${category}.`].filter(Boolean).join(" ");
}

/** The category `renderOrigin` has left in notes. */
export function categoryIn(notes: string | undefined): string | undefined {
  return /^(?:Imported from .*?\. )?Category: ([\w-]+)\.$/m.exec(notes ?? "")?.[1];
}
