import type { Files } from "../../platform/system.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";
import { type FlakyGate, FlakyLedger } from "../../schema/session-files/flaky.ts";

/** This machine's record, across sessions, of gates whose runs on one tree differed. */
const file = "flaky.json";
const keptDays = 14;

type Now = { now: number };

/** The gates that were flaky in the last two weeks; a file that cannot be read remembers none. */
export async function readFlaky(store: Files, { now }: Now): Promise<FlakyGate[]> {
  const oldest = now - keptDays * 24 * 3600 * 1000;
  const text = (await store.read(file))?.toString();
  const { gates } = parseJsonAs(FlakyLedger, text) ?? { gates: [] };
  return gates.filter(({ last }) => Date.parse(last) >= oldest);
}

/** Adds the gates that a task's proof found flaky; those of more than two weeks ago are forgotten. */
export async function rememberFlaky(
  store: Files,
  found: readonly { gate: string; failures: readonly string[] }[],
  { now }: Now,
): Promise<void> {
  if (found.length === 0) return;
  const gates = await readFlaky(store, { now });
  for (const { gate, failures } of found) {
    const known = gates.find((each) => each.gate === gate);
    const last = new Date(now).toISOString();
    if (!known) gates.push({ gate, failures: [...failures], times: 1, last });
    else {
      known.times += 1;
      known.last = last;
      known.failures = [...new Set([...known.failures, ...failures])].slice(-20);
    }
  }
  await store.write(file, `${JSON.stringify({ format: 1, gates }, null, 2)}\n`);
}

/** A line for the start of a session; undefined when no gate was flaky. */
export function describeFlaky(gates: readonly FlakyGate[]): string | undefined {
  if (gates.length === 0) return undefined;
  const named = gates.map(
    ({ gate, times, failures: [first] }) =>
      `${gate} (${times === 1 ? "once" : `${times} times`}${first ? `, ${first}` : ""})`,
  );
  return `Gates gave different results on the same files in the last ${keptDays} days: ${named.join("; ")}. A red of theirs runs again before it counts.`;
}
