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
