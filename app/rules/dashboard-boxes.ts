/** What the boxes of the dashboard issue are for; those of a run name it, the others stand for the whole repository. */
const verbs = ["approve", "retry", "cancel", "skip", "unignore", "pause", "resume"] as const;

export type BoxVerb = (typeof verbs)[number];

/** A box as its hidden mark has it: `retry:RUN`, or `pause`. */
export interface Box {
  verb: BoxVerb;
  /** Id of a run. */
  run?: string;
}

const line = /^[ \t]*[-*] \[([ xX])\] <!-- ralph:box:([a-z]{1,20}(?::[0-9a-f-]{36})?) -->[^\n]*$/gm;

/** Marks of the boxes somebody has ticked, each once. Pure; a mark that means nothing is dropped. */
export function tickedBoxes(body: string): string[] {
  const found = [...body.matchAll(line)];
  const ticked = found.filter(([, sign]) => sign !== " ").map(([, , mark = ""]) => mark);
  return [...new Set(ticked)].filter((mark) => parseBox(mark) !== undefined);
}

/** What an edit has ticked: nobody acts with the rights of whoever edits next. Pure. */
export function newTicks(before: string, after: string): string[] {
  const old = new Set(tickedBoxes(before));
  return tickedBoxes(after).filter((mark) => !old.has(mark));
}

/** Reads a mark; undefined: it is none of ours. */
export function parseBox(mark: string): Box | undefined {
  const [name, run] = mark.split(":", 2);
  const verb = verbs.find((each) => each === name);
  if (!verb) return undefined;
  return run === undefined ? { verb } : { verb, run };
}

/** One line of the issue with a box. */
export function renderBox(
  { verb, run }: Box,
  { words, ticked }: { words: string; ticked: ReadonlySet<string> },
): string {
  const mark = run === undefined ? verb : `${verb}:${run}`;
  return `- [${ticked.has(mark) ? "x" : " "}] <!-- ralph:box:${mark} --> ${words}`;
}
