import { closeSync, fstatSync, readFileSync } from "node:fs";

/**
 * The text that the starting shell wrote into a descriptor, or undefined when it wrote none. The descriptor is closed
 * afterwards, so that no child process inherits it.
 */
export function readDescriptor(descriptor: number): string | undefined {
  if (!holdsText(descriptor)) return undefined;
  const text = readFileSync(descriptor, "utf8");
  closeSync(descriptor);
  return text;
}

/** A shell passes text by a pipe or a file; anything else with this number belongs to Node. */
function holdsText(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isFile();
  } catch {
    return false;
  }
}
