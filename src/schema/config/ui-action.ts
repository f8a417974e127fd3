/** One step of a browser test. Times in milliseconds. */
export type UiAction =
  | { verb: "open"; path: string }
  | { verb: "click" | "click_tab"; name: string }
  | { verb: "fill"; name: string; text: string }
  | { verb: "select"; name: string; option: string }
  | { verb: "press"; key: string }
  | { verb: "expect"; words: string }
  | { verb: "wait"; ms: number };

export type UiActionsReading =
  | { kind: "actions"; actions: UiAction[] }
  | { kind: "problem"; message: string };

const verbs = ["open", "click", "click_tab", "fill", "select", "press", "expect", "wait"] as const;
type Verb = (typeof verbs)[number];

const longestWaitMs = 10_000;

/** Reads `open /login; click("Save")`, also in a criterion's spelling: `click "Save"` or ``click `Save` ``. Never throws. */
export function parseUiActions(text: string): UiActionsReading {
  const actions: UiAction[] = [];
  for (const part of splitParts(text)) {
    const action = parseOne(part);
    if (typeof action === "string") return { kind: "problem", message: action };
    actions.push(action);
  }
  if (actions.length > 0) return { kind: "actions", actions };
  return { kind: "problem", message: `names no action; the verbs are ${verbs.join(", ")}` };
}

const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/gu;

/** Splits at semicolons outside of quotes. */
function splitParts(text: string): string[] {
  const hidden = text.replace(quoted, (found) => "q".repeat(found.length));
  const ends = [...hidden.matchAll(/;/gu)].map(({ index }) => index);
  return [...ends, text.length]
    .map((end, number) => text.slice(number === 0 ? 0 : (ends[number - 1] ?? 0) + 1, end).trim())
    .filter((part) => part !== "");
}

function parseOne(part: string): UiAction | string {
  const [, word = "", inside, after] = /^([A-Za-z_]+)\s*(?:\((.*)\)|(.*))$/su.exec(part) ?? [];
  const verb = verbs.find((each) => each === word.toLowerCase());
  if (!verb)
    return `has no verb ${JSON.stringify(word || part)}; the verbs are ${verbs.join(", ")}`;
  const args = parseArguments(inside ?? after ?? "");
  return build(verb, args) ?? `gives ${verb} what it cannot use; write ${examples[verb]}`;
}

const examples: Record<Verb, string> = {
  open: "open or open /path",
  click: 'click("Save")',
  click_tab: 'click_tab("Dashboard")',
  fill: 'fill("Name", "Ann")',
  select: 'select("Country", "Chile")',
  press: 'press("Enter")',
  expect: 'expect("Saved")',
  wait: `wait(500), at most ${longestWaitMs}`,
};

/** Quoted texts, or the words between them without commas and `with`. */
function parseArguments(text: string): string[] {
  const found = text.match(quoted);
  if (found) return found.map((each) => each.slice(1, -1).replace(/\\(["\\])/gu, "$1"));
  return text.trim() === "" ? [] : [text.trim()];
}

function build(verb: Verb, args: readonly string[]): UiAction | undefined {
  const [first = "", second] = args;
  switch (verb) {
    case "open":
      return args.length < 2 ? opening(first) : undefined;
    case "fill":
      return second === undefined ? undefined : { verb, name: first, text: second };
    case "select":
      return second === undefined ? undefined : { verb, name: first, option: second };
    default:
      return args.length === 1 && first !== "" ? single(verb, first) : undefined;
  }
}

function single(
  verb: Exclude<Verb, "open" | "fill" | "select">,
  word: string,
): UiAction | undefined {
  if (verb === "press") return { verb, key: word };
  if (verb === "expect") return { verb, words: word };
  if (verb !== "wait") return { verb, name: word };
  const ms = /^\d{1,5}$/.test(word) ? Number(word) : Number.NaN;
  return ms <= longestWaitMs ? { verb, ms } : undefined;
}

/** Another host is never opened. */
function opening(target: string): UiAction | undefined {
  if (target === "") return { verb: "open", path: "/" };
  const isPath = /^\/(?!\/)\S*$/u.test(target);
  const isLocal = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/\S*)?$/iu.test(target);
  return isPath || isLocal ? { verb: "open", path: target } : undefined;
}
