import { parseUiActions, type UiAction } from "../../schema/config/ui-action.ts";

/** The state a page must show after an action. `unknown`: the words say something only a reader can judge. */
export type ResultWords =
  | { kind: "none" }
  | { kind: "loaded" }
  | { kind: "shows"; words: string }
  | { kind: "lacks"; words: string }
  | { kind: "redirects"; to?: string }
  | { kind: "unknown" };

export type BrowserCriterion =
  | { kind: "act"; actions: UiAction[]; result: ResultWords }
  | { kind: "console" }
  | { kind: "unreadable" };

/** Reads the words after `agent-browser:` (specs 004 3.5): an action and, after a dash, its result. Pure. */
export function parseBrowserCriterion(words: string): BrowserCriterion {
  const text = words.trim().replace(/[.!]+$/u, "");
  if (/^console (?:shows|has|is|without)(?: no| free of| without)? ?errors?$/iu.test(text)) {
    return { kind: "console" };
  }
  const [, action = "", result = ""] = dash.exec(text) ?? [undefined, text];
  const read = parseUiActions(action);
  if (read.kind === "problem") return { kind: "unreadable" };
  return { kind: "act", actions: read.actions, result: parseResult(result) };
}

const dash = /^(.*?) (?:-{1,3}|[\u2010-\u2015]|->|=>) (.*)$/su;

const appears =
  "renders?|appears?|(?:is|are) (?:shown|visible|displayed|rendered)|loads?|opens?|shows? up";
const vanishes = "disappears?|(?:is|are) (?:gone|hidden|removed|closed)|closes?";

type ResultForm = { pattern: RegExp; read: (words: string) => ResultWords };

/** The first form that matches; each has the words it is about as its only group. */
const resultForms: readonly ResultForm[] = [
  { pattern: /^()$/u, read: () => ({ kind: "none" }) },
  { pattern: /^(?:it )?redirect(?:s|ed)?()$/iu, read: () => ({ kind: "redirects" }) },
  {
    pattern: /^(?:it )?redirect(?:s|ed)? (?:back )?to (.+)$/iu,
    read: (to) => ({ kind: "redirects", to }),
  },
  { pattern: new RegExp(`^(.+?) (?:${vanishes})$`, "iu"), read: lacking },
  { pattern: /^no (.+)$/iu, read: lacking },
  { pattern: new RegExp(`^(.+?) (?:${appears})$`, "iu"), read: showing },
  { pattern: /^(?:it )?(?:shows?|displays?|renders?) (.+)$/iu, read: showing },
  { pattern: /^(["`'].+["`'])$/u, read: showing },
];

export function parseResult(text: string): ResultWords {
  for (const { pattern, read } of resultForms) {
    const found = pattern.exec(text.trim());
    if (found) return read(unquoted(found[1] ?? ""));
  }
  return { kind: "unknown" };
}

function lacking(words: string): ResultWords {
  return { kind: "lacks", words: words.replace(new RegExp(` (?:${appears})$`, "iu"), "") };
}

function showing(words: string): ResultWords {
  const wanted = unquoted(words.replace(/^(?:the|an?) /iu, ""));
  return /^(?:page|app|application|it|site|view|screen)$/iu.test(wanted)
    ? { kind: "loaded" }
    : { kind: "shows", words: wanted };
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["`'])(.*)\1$/u, "$2");
}
