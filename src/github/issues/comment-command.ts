import type { SteeringCommand } from "../../core/state/steering-command.ts";

/** What somebody with the right to write may ask for in a comment. */
export type CommentCommand =
  | { verb: "run" | "autopilot" | "status" | "cancel" | "pause" | "resume" | "help" }
  | { verb: "retry"; task: string | undefined }
  | { verb: "skip"; task: string }
  | { verb: "hint"; text: string }
  | { verb: "budget"; usd: number };

/** `unreadable`: it is for us, and `problem` says what is wrong with it. */
export type ReadCommand =
  | { kind: "none" }
  | { kind: "command"; command: CommentCommand }
  | { kind: "unreadable"; problem: string };

/** What steers the work itself, and is handed over to the workflow that does it. */
export const steeringVerbs = ["skip", "hint", "budget", "retry"] as const;
export type SteeringVerb = (typeof steeringVerbs)[number];

/** A command as the order a session hears; undefined for one that is none. */
export function steeringCommandOf(
  command: CommentCommand,
  said: { comment: number; by: string },
): SteeringCommand | undefined {
  switch (command.verb) {
    case "skip":
    case "hint":
    case "budget":
      return { ...command, ...said };
    case "retry": {
      const { verb, task } = command;
      return { verb, ...(task !== undefined && { task }), ...said };
    }
    default:
      return undefined;
  }
}

const plain = ["run", "autopilot", "status", "cancel", "pause", "resume", "help"] as const;
const taskForm = /^T-\d{3,6}$/;
const longestHint = 2000;

/**
 * Reads a comment: a command stands at the very beginning of its first line, as plain text. A quotation, a code fence or
 * anything before it makes it a comment like any other (T33).
 */
export function readCommand(body: string): ReadCommand {
  const [line = ""] = body.split(/\r\n|[\r\n\u2028\u2029]/, 1);
  if (!/^\/ralph(?:[ \t]|$)/.test(line)) return { kind: "none" };
  const [, verb = "", rest = ""] = /^(\S+)(?:\s+(.*))?$/.exec(line.slice(6).trim()) ?? [];
  // Who names no command wants to know which there are.
  return verb === "" ? command({ verb: "help" }) : readVerb(verb, rest);
}

function readVerb(verb: string, rest: string): ReadCommand {
  const known = plain.find((name) => name === verb);
  if (known) return rest === "" ? command({ verb: known }) : extra(verb);
  const read = Object.hasOwn(withWords, verb) && withWords[verb as keyof typeof withWords];
  return read ? read(rest) : unreadable(`There is no command \`${quoted(verb)}\`.`);
}

/** The commands that take something behind their name. */
const withWords = {
  retry: readRetry,
  skip: readSkip,
  hint: readHint,
  budget: readBudget,
};

function readRetry(rest: string): ReadCommand {
  if (rest === "") return command({ verb: "retry", task: undefined });
  if (taskForm.test(rest)) return command({ verb: "retry", task: rest });
  return unreadable(`\`${quoted(rest)}\` is no id of a task such as T-003.`);
}

function readSkip(rest: string): ReadCommand {
  if (taskForm.test(rest)) return command({ verb: "skip", task: rest });
  return unreadable("Name the task to skip: `/ralph skip T-003`.");
}

function readHint(rest: string): ReadCommand {
  if (rest === "") return unreadable("Say the hint behind it: `/ralph hint Use the new parser.`");
  return command({ verb: "hint", text: rest.slice(0, longestHint) });
}

function readBudget(rest: string): ReadCommand {
  const usd = /^\$?(\d{1,6}(?:\.\d{1,2})?)$/.exec(rest)?.[1];
  if (usd === undefined) return unreadable("Say the budget in US dollars: `/ralph budget 5`.");
  return command({ verb: "budget", usd: Number(usd) });
}

const command = (command: CommentCommand): ReadCommand => ({ kind: "command", command });
const unreadable = (problem: string): ReadCommand => ({ kind: "unreadable", problem });
const extra = (verb: string) => unreadable(`\`/ralph ${verb}\` takes nothing behind it.`);

/** What is shown back holds nothing that Markdown would act on. */
const quoted = (text: string) => text.replaceAll(/[^\w.$ -]/g, "").slice(0, 40);
