import * as z from "zod";

/** Where in a value its tasks stand, and what they are. */
export type Entries = { path: readonly string[]; items: readonly unknown[] };

/** The names lists of tasks have in other tools (compatibility 7). */
const listNames = ["userStories", "stories", "items", "features"] as const;

const Holder = z.looseObject({});

/** The entries of a task list of any kind, ours included; undefined for what is no list. */
export function findEntries(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return { path: [], items: value };
  const holder = Holder.safeParse(value).data ?? {};
  const name = ["tasks", ...listNames].find((each) => Array.isArray(holder[each]));
  const items = name === undefined ? undefined : holder[name];
  return name !== undefined && Array.isArray(items) ? { path: [name], items } : undefined;
}

/** Whether a value is the list of another tool: entries of another name, or nothing around them. */
export function isForeignList(value: unknown): boolean {
  const found = findEntries(value);
  if (!found) return false;
  const [name] = found.path;
  return name === undefined
    ? found.items.some((item) => Holder.safeParse(item).success)
    : name !== "tasks";
}

/** The name an entry has in its own list, whatever it looks like. */
export function originalId(item: unknown): string | undefined {
  const { id } = Holder.safeParse(item).data ?? {};
  const text = typeof id === "number" ? String(id) : id;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

/**
 * Ids of ours for the entries of a list: the number an id ends with, and the place in the list when one has none,
 * none that fits, or shares it (compatibility 1.19). They do not depend on what has passed.
 */
export function taskIds(items: readonly unknown[]): string[] {
  // More digits than any number that fits has, and few enough to be looked for anywhere in a long id (T62).
  const numbers = items.map((item) =>
    Number(/(?<!\d)\d{1,20}$/.exec(originalId(item)?.trim() ?? "")?.[0] ?? 0),
  );
  const isSound = numbers.every((number) => number >= 1 && number <= 999);
  const isUnique = new Set(numbers).size === numbers.length;
  const chosen = isSound && isUnique ? numbers : items.map((_, index) => index + 1);
  return chosen.map((number) => `T-${String(number).padStart(3, "0")}`);
}
