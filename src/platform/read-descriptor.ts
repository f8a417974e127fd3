import { closeSync, fstatSync, readFileSync } from "node:fs";

/**
 * What the shell that started us wrote into a descriptor, or undefined when it wrote nothing. It is closed
 * afterwards, so that no program we start inherits it.
 */
export function readDescriptor(descriptor: number): string | undefined {
  if (!holdsText(descriptor)) return undefined;
  const text = readFileSync(descriptor, "utf8");
  closeSync(descriptor);
  return text;
}

/** A shell hands text over by a pipe or a file; anything else with this number is Node's own. */
function holdsText(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isFile();
  } catch {
    return false;
  }
}
