/** Exchanges that GitHub's description refuses, until the test ends that made them. */
const refused = new Set<string>();

export const refuse = (fault: string): unknown => refused.add(fault);

/** Everything since the last call. */
export function takeRefused(): string[] {
  const taken = [...refused];
  refused.clear();
  return taken;
}
