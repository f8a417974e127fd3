/** The actions behind the boxes of the dashboard issue. A box either names its run or applies to the whole repository. */
const verbs = ["approve", "retry", "cancel", "skip", "unignore", "pause", "resume"] as const;

export type BoxVerb = (typeof verbs)[number];

/** A box as in its hidden mark: `retry:RUN` or `pause`. */
export interface Box {
  verb: BoxVerb;
  /** Id of a run. */
  run?: string;
}

const line = /^[ \t]*[-*] \[([ xX])\] <!-- ralph:box:([a-z]{1,20}(?::[0-9a-f-]{36})?) -->[^\n]*$/gm;

/** The marks of the ticked boxes without duplicates and unknown marks. Pure. */
export function tickedBoxes(body: string): string[] {
  const found = [...body.matchAll(line)];
  const ticked = found.filter(([, sign]) => sign !== " ").map(([, , mark = ""]) => mark);
  return [...new Set(ticked)].filter((mark) => parseBox(mark) !== undefined);
}

/** The boxes that this edit has ticked; earlier ticks do not get the rights of the later editor. Pure. */
export function newTicks(before: string, after: string): string[] {
  const old = new Set(tickedBoxes(before));
  return tickedBoxes(after).filter((mark) => !old.has(mark));
}

/** Parses a mark; undefined for unknown ones. */
export function parseBox(mark: string): Box | undefined {
  const [name, run] = mark.split(":", 2);
  const verb = verbs.find((each) => each === name);
  if (!verb) return undefined;
  return run === undefined ? { verb } : { verb, run };
}

/** One line of the issue with a box. */
export function renderBox(
  { verb, run }: Box,
  { label, ticked }: { label: string; ticked: ReadonlySet<string> },
): string {
  const mark = run === undefined ? verb : `${verb}:${run}`;
  return `- [${ticked.has(mark) ? "x" : " "}] <!-- ralph:box:${mark} --> ${label}`;
}
