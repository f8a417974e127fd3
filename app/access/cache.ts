import type { Clock } from "../../src/platform/system.ts";

export interface CacheParts<Value> {
  clock: Pick<Clock, "now">;
  /** A change may take effect this much later. */
  keptMs: number;
  /** The most values to keep; then the oldest is dropped. */
  most: number;
  /** Other answers are not kept; the default is every answer. */
  isKept?: (value: Value) => boolean;
}

/** Keeps answers for a while, each under its key; failures are not kept. */
export function createCache<Key, Value>({
  clock,
  keptMs,
  most,
  isKept = () => true,
}: CacheParts<Value>) {
  const known = new Map<Key, { until: number; value: Promise<Value> }>();
  return (key: Key, ask: () => Promise<Value>): Promise<Value> => {
    const now = clock.now();
    const held = known.get(key);
    // The clock may have gone back since.
    if (held && held.until > now && held.until <= now + keptMs) return held.value;
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    const value = ask();
    known.set(key, { until: now + keptMs, value });
    value.then(isKept, () => false).then((kept) => kept || known.delete(key));
    return value;
  };
}
