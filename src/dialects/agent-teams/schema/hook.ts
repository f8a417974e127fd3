import * as z from "zod";

const text = z.string().optional().catch(undefined);

/** The fields that are used of Claude Code's input to a hook of Agent Teams. */
export const TeamHookInput = z.looseObject({
  cwd: text,
  teammate_name: text,
  task_subject: text,
  task_description: text,
});
export type TeamHookInput = z.infer<typeof TeamHookInput>;

/** The input of a hook; undefined if it is not JSON. */
export function readHookInput(input: string): TeamHookInput | undefined {
  try {
    return TeamHookInput.safeParse(JSON.parse(input)).data;
  } catch {
    return undefined;
  }
}

/** A teammate's name as a key and part of a file name: no path, no key such as `_updated_at`, no key of `Object.prototype`. */
export function teammateOf({ teammate_name = "" }: TeamHookInput): string {
  const name = teammate_name
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[_.-]+/, "")
    .slice(0, 64);
  if (name === "") return "unknown";
  return name in Object.prototype || name === "prototype" ? `teammate-${name}` : name;
}

/** How test runners print coverage, the most specific first (compatibility 5). */
const patterns = [
  /All files?\s*\|\s*(\d+(?:\.\d+)?)/,
  /Statements\s*:\s*(\d+(?:\.\d+)?)%/,
  /^TOTAL\s.*?(\d+(?:\.\d+)?)%\s*$/m,
  /coverage:\s*(\d+(?:\.\d+)?)%/,
  /\b(?:total|overall|all)\b[^\n%]{0,80}?(\d+(?:\.\d+)?)%/i,
];

/** The coverage in a command's output, in per cent; undefined without one. */
export function coverageIn(output: string): number | undefined {
  const found = patterns.map((pattern) => pattern.exec(output)?.[1]).find((each) => each);
  return found === undefined ? undefined : Number(found);
}
