/** Counters by name and labels, since the process started. */
export interface Counters {
  add: (name: string, labels: Labels, amount?: number) => void;
  /** In the order of their first count. */
  list: () => CounterValue[];
}

/** Each label has few fixed values: requests must not be able to add new ones. */
export type Labels = Readonly<Record<string, string>>;
export type CounterValue = { name: string; labels: Labels; count: number };

/** Counters that start at 0. */
export function createCounters(): Counters {
  const known = new Map<string, CounterValue>();
  return {
    add: (name, labels, amount = 1) => {
      const key = JSON.stringify([name, labels]);
      const counted = known.get(key) ?? { name, labels, count: 0 };
      counted.count += amount;
      known.set(key, counted);
    },
    list: () => [...known.values()],
  };
}
