/** An item with a repeated key, and the index of the first item with that key. */
export type Repeat<Item> = { item: Item; index: number; first: number };

/** Items that share their key with an earlier one, in order. Items without a key are never repeats. */
export function repeats<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number | undefined,
): Repeat<Item>[] {
  const seen = new Map<string | number, number>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ item, index, first }];
  });
}
