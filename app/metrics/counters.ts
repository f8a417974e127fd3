/** Figures that only grow, by name and labels, since the process began. */
export interface Counters {
  add: (name: string, labels: Labels) => void;
  /** In the order in which they were first counted. */
  list: () => CounterValue[];
}

/** Each with few values of ours: whoever sends us something must not be able to make new ones. */
export type Labels = Readonly<Record<string, string>>;
export type CounterValue = { name: string; labels: Labels; count: number };

/** Counters that are all 0. */
export function createCounters(): Counters {
  const known = new Map<string, CounterValue>();
  return {
    add: (name, labels) => {
      const key = JSON.stringify([name, labels]);
      const counted = known.get(key) ?? { name, labels, count: 0 };
      counted.count += 1;
      known.set(key, counted);
    },
    list: () => [...known.values()],
  };
}
