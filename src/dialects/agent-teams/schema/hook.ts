import * as z from "zod";

const text = z.string().optional().catch(undefined);

/** What Claude Code tells a hook of Agent Teams on its standard input; only what is needed here. */
export const TeamHookInput = z.looseObject({
  cwd: text,
  teammate_name: text,
  task_subject: text,
  task_description: text,
});
export type TeamHookInput = z.infer<typeof TeamHookInput>;

/** The input, or undefined for what is none. */
export function readHookInput(input: string): TeamHookInput | undefined {
  try {
    return TeamHookInput.safeParse(JSON.parse(input)).data;
  } catch {
    return undefined;
  }
}

/** A teammate's name as a key and a part of a file's name: no path, no remark about a file (`_updated_at`), no key of JavaScript's. */
export function teammateOf({ teammate_name = "" }: TeamHookInput): string {
  const name = teammate_name
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[_.-]+/, "")
    .slice(0, 64);
  if (name === "") return "unknown";
  return name in Object.prototype || name === "prototype" ? `teammate-${name}` : name;
}

/** How test runners print the share of code that tests reach, most telling first (compatibility 5). */
const patterns = [
  /All files?\s*\|\s*(\d+(?:\.\d+)?)/,
  /Statements\s*:\s*(\d+(?:\.\d+)?)%/,
  /^TOTAL\s.*?(\d+(?:\.\d+)?)%\s*$/m,
  /coverage:\s*(\d+(?:\.\d+)?)%/,
  /\b(?:total|overall|all)\b[^\n%]{0,80}?(\d+(?:\.\d+)?)%/i,
];

/** The coverage a command has printed, in per cent; undefined where it tells none. */
export function coverageIn(output: string): number | undefined {
  const found = patterns.map((pattern) => pattern.exec(output)?.[1]).find((each) => each);
  return found === undefined ? undefined : Number(found);
}
