import type { Texts } from "./model.ts";

export interface LogCommand {
  name: string;
  properties: Texts;
  message: string;
}

export const commandNames: readonly string[] = [
  ..."set-env set-output save-state add-path add-mask add-matcher remove-matcher".split(" "),
  ..."warning error notice debug group endgroup echo stop-commands".split(" "),
];

/** What .NET takes for white space: JavaScript adds U+FEFF and does not know U+0085. */
const leadingSpace = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const dataEscapes = { "%0D": "\r", "%0A": "\n" };
const propertyEscapes = { ...dataEscapes, "%3A": ":", "%2C": "," };
const oldEscapes = { "%3B": ";", ...dataEscapes, "%5D": "]" };

/**
 * The command a runner sees in a line of output, of both grammars: `::name key=value,…::message` at its begin, and
 * `##[name key=value;…]message` anywhere. Names are compared without case; an unknown one is no command.
 */
export function parseLogCommand(
  line: string,
  known: readonly string[] = commandNames,
): LogCommand | undefined {
  return parseNew(line, known) ?? parseOld(line, known);
}

function parseNew(line: string, known: readonly string[]): LogCommand | undefined {
  const [, head, message = ""] = /^::(.*?)::(.*)$/s.exec(line.replace(leadingSpace, "")) ?? [];
  const command = head === undefined ? undefined : parseHead(head, ",", known);
  if (command === undefined) return undefined;
  return {
    name: command.name,
    properties: unescapeAll(command.properties, propertyEscapes),
    message: unescapeWith(message, dataEscapes),
  };
}

function parseOld(line: string, known: readonly string[]): LogCommand | undefined {
  const [, head, message = ""] = /##\[(.*?)\](.*)$/s.exec(line) ?? [];
  const command = head === undefined ? undefined : parseHead(head, ";", known);
  if (command === undefined) return undefined;
  return {
    name: command.name,
    properties: unescapeAll(command.properties, oldEscapes),
    message: unescapeWith(message, oldEscapes),
  };
}

function parseHead(head: string, separator: string, known: readonly string[]) {
  const space = head.indexOf(" ");
  const name = (space < 0 ? head : head.slice(0, space)).toLowerCase();
  if (!known.some((entry) => entry.toLowerCase() === name)) return undefined;
  const pairs =
    space < 0
      ? []
      : head
          .slice(space + 1)
          .trim()
          .split(separator);
  const properties = pairs
    .filter((pair) => /^[^=]+=./s.test(pair))
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return { name, properties: Object.fromEntries(properties) as Texts };
}

function unescapeAll(properties: Texts, escapes: Texts): Texts {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([key, value]) => [key, unescapeWith(value, escapes)]));
}

function unescapeWith(text: string, escapes: Texts): string {
  const known = Object.entries(escapes);
  const plain = known.reduce((result, [code, sign]) => result.replaceAll(code, sign), text);
  return plain.replaceAll("%25", "%");
}
