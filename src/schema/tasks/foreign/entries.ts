import * as z from "zod";

/** The entries of a list, and their path in the value. */
export type Entries = { path: readonly string[]; items: readonly unknown[] };

/** The keys of task lists in other tools (compatibility 7). */
const listNames = ["userStories", "stories", "items", "features"] as const;

const Holder = z.looseObject({});

/** The entries of a task list in any format; undefined for another value. */
export function findEntries(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return { path: [], items: value };
  const holder = Holder.safeParse(value).data ?? {};
  const name = ["tasks", ...listNames].find((each) => Array.isArray(holder[each]));
  const items = name === undefined ? undefined : holder[name];
  return name !== undefined && Array.isArray(items) ? { path: [name], items } : undefined;
}

/** Whether a value is another tool's list: entries under another key, or a bare list. */
export function isForeignList(value: unknown): boolean {
  const found = findEntries(value);
  if (!found) return false;
  const [name] = found.path;
  return name === undefined
    ? found.items.some((item) => Holder.safeParse(item).success)
    : name !== "tasks";
}

/** The id of an entry in its own list, in any format. */
export function originalId(item: unknown): string | undefined {
  const { id } = Holder.safeParse(item).data ?? {};
  const text = typeof id === "number" ? String(id) : id;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

/** Task ids: the number at the end of each original id, or the position where that is not usable and unique (compatibility 1.19). */
export function taskIds(items: readonly unknown[]): string[] {
  // More digits than any valid number, and few enough to search a long id (T62).
  const numbers = items.map((item) =>
    Number(/(?<!\d)\d{1,20}$/.exec(originalId(item)?.trim() ?? "")?.[0] ?? 0),
  );
  const isSound = numbers.every((number) => number >= 1 && number <= 999);
  const isUnique = new Set(numbers).size === numbers.length;
  const chosen = isSound && isUnique ? numbers : items.map((_, index) => index + 1);
  return chosen.map((number) => `T-${String(number).padStart(3, "0")}`);
}
