import { visible } from "../error.ts";

const maxShown = 10;

/** A line for each of these, at most ten, for the lines below an answer. */
export function listed(things: readonly string[]): string[] {
  const left = things.length - maxShown;
  const shown = things.slice(0, maxShown).map((thing) => `  ${visible(thing)}`);
  return left > 0 ? [...shown, `  and ${left} more`] : shown;
}
