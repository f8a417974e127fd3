import { nearest } from "../../base/nearest.ts";
import { shorten } from "./words.ts";

/** First and last priority of a category's tasks (compatibility 1.19); categories without a band use that of features. */
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

/** A warning about an unknown category; undefined for a known one. */
export function oddCategory(name: string): string | undefined {
  if (categories.includes(name)) return undefined;
  const meant = meantBy(name);
  const hint = meant ? `did you mean "${meant}"?` : `there are ${categories.join(", ")}`;
  return `is "${shorten(name, 60)}", which is not a known category; ${hint}`;
}

/** `test` is testing. */
function meantBy(name: string): string | undefined {
  const begin = name.toLowerCase().replace(/s$/, "");
  const begun = categories.find((each) => begin !== "" && each.startsWith(begin));
  return nearest(name, categories) ?? begun;
}

const bandOf = (category = "") => bands[meantBy(category) ?? ""] ?? [31, 60];

/** A priority for each entry: its category's band, and inside the band the order of the list, as far as there is room. */
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

/** The origin of a task for its notes. */
export function renderOrigin(id: string | undefined, category: string | undefined): string {
  const from = id === undefined ? "" : `Imported from ${id}.`;
  return [from, category === undefined ? "" : `Category: ${category}.`].filter(Boolean).join(" ");
}

/** The category that `renderOrigin` wrote into notes. */
export function categoryIn(notes: string | undefined): string | undefined {
  return /^(?:Imported from .*?\. )?Category: ([\w-]+)\.$/m.exec(notes ?? "")?.[1];
}
