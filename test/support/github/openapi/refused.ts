/** Exchanges that GitHub's description refuses, until the test ends that made them. */
const refused = new Set<string>();

export function refuse(fault: string): void {
  if (!known.some((each) => each.test(fault))) refused.add(fault);
}

/** What GitHub answers although its description does not say so. */
const known = [
  // The account that did it was deleted.
  /issues\/\{issue_number\}\/events .*\.actor is null/,
];

/** Everything since the last call. */
export function takeRefused(): string[] {
  const taken = [...refused];
  refused.clear();
  return taken;
}
