import * as z from "zod";
import type { SteeringCommand } from "../../core/state/steering-command.ts";

const plain = ["run", "autopilot", "status", "cancel", "pause", "resume", "setup", "help"] as const;

/** A command that a person with write access may give in a comment. */
export const CommentCommand = z.discriminatedUnion("verb", [
  z.object({ verb: z.enum(plain) }),
  z.object({ verb: z.literal("retry"), task: z.string().optional() }),
  z.object({ verb: z.literal("skip"), task: z.string() }),
  z.object({ verb: z.literal("hint"), text: z.string() }),
  z.object({ verb: z.literal("budget"), usd: z.number() }),
]);
export type CommentCommand = z.infer<typeof CommentCommand>;

/** `unreadable`: the comment addresses ralph but is not a valid command; `problem` explains why. */
export type ReadCommand =
  | { kind: "none" }
  | { kind: "command"; command: CommentCommand }
  | { kind: "unreadable"; problem: string };

/** Commands that steer a running session; they are passed to its workflow. */
export const steeringVerbs = ["skip", "hint", "budget", "retry"] as const;
export type SteeringVerb = (typeof steeringVerbs)[number];

/** The steering command behind a comment; undefined for commands that do not steer a session. */
export function steeringCommandOf(
  command: CommentCommand,
  source: { comment: number; by: string },
): SteeringCommand | undefined {
  if (!isSteering(command)) return undefined;
  if (command.verb !== "retry") return { ...command, ...source };
  const { verb, task } = command;
  return { verb, ...(task !== undefined && { task }), ...source };
}

const isSteering = (
  command: CommentCommand,
): command is Extract<CommentCommand, { verb: SteeringVerb }> =>
  steeringVerbs.some((verb) => verb === command.verb);

const taskForm = /^T-\d{3,6}$/i;
const longestHint = 2000;

/**
 * Parses a comment: a command is its first line, as plain text, in any case; up to three spaces before it and a full stop
 * after it do not matter. In a code block, or after a quotation mark or any other text, it is an ordinary comment (T33).
 */
export function readCommand(body: string): ReadCommand {
  const [line = ""] = body.split(/\r\n|[\r\n\u2028\u2029]/, 1);
  const [, given] = /^ {0,3}\/ralph(?:[ \t]+(.*))?$/i.exec(line) ?? [];
  if (given === undefined && !/^ {0,3}\/ralph[ \t]*$/i.test(line)) return { kind: "none" };
  const [, word = "", rest = ""] = /^(\S+)(?:\s+(.*))?$/.exec((given ?? "").trim()) ?? [];
  const verb = word.toLowerCase();
  // Without a verb, list the commands.
  if (verb === "") return command({ verb: "help" });
  return verb === "hint" ? readHint(rest) : readVerb(withoutStop(verb), withoutStop(rest));
}

const withoutStop = (text: string) => text.replace(/[.!]+$/, "");

function readVerb(verb: string, rest: string): ReadCommand {
  const known = plain.find((name) => name === verb);
  if (known && rest !== "") return unreadable(`\`/ralph ${verb}\` takes no argument.`);
  if (known) return command({ verb: known });
  const read = Object.hasOwn(withArgument, verb) && withArgument[verb as keyof typeof withArgument];
  return read ? read(rest) : unreadable(`There is no command \`${quoted(verb)}\`.`);
}

const withArgument = { retry: readRetry, skip: readSkip, budget: readBudget };

function readRetry(rest: string): ReadCommand {
  if (rest === "") return command({ verb: "retry", task: undefined });
  if (taskForm.test(rest)) return command({ verb: "retry", task: rest.toUpperCase() });
  return unreadable(`\`${quoted(rest)}\` is not a task id such as T-003.`);
}

function readSkip(rest: string): ReadCommand {
  if (taskForm.test(rest)) return command({ verb: "skip", task: rest.toUpperCase() });
  return unreadable("Name the task to skip: `/ralph skip T-003`.");
}

function readHint(rest: string): ReadCommand {
  if (rest === "") return unreadable("Add the hint: `/ralph hint Use the new parser.`");
  return command({ verb: "hint", text: rest.slice(0, longestHint) });
}

function readBudget(rest: string): ReadCommand {
  const usd = /^\$?(\d{1,6}(?:\.\d{1,2})?)$/.exec(rest)?.[1];
  if (usd === undefined) return unreadable("Give the budget in US dollars: `/ralph budget 5`.");
  return command({ verb: "budget", usd: Number(usd) });
}

const command = (command: CommentCommand): ReadCommand => ({ kind: "command", command });
const unreadable = (problem: string): ReadCommand => ({ kind: "unreadable", problem });

/** Removes everything that has a meaning in Markdown. */
const quoted = (text: string) => text.replaceAll(/[^\w.$ -]/g, "").slice(0, 40);
