import { plainText } from "../../text/plain-text.ts";

/** No text that was read from somewhere can hold this key: only `html` and `ownMarkup` make what is sent as it is. */
const markup = Symbol("markup");

/** A piece of a page. */
export type Html = { readonly [markup]: string };

/** What may stand in a page: texts are escaped, pieces are not, and nothing is nothing. */
export type Content = Html | string | number | boolean | null | undefined | readonly Content[];

/**
 * A template whose contents can neither open a tag nor leave an attribute, whoever wrote them. Line breaks with the
 * indentation after them are for the eyes of programmers and left out.
 */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const [first = "", ...rest] = ownTexts(template);
  return { [markup]: rest.reduce((text, own, at) => text + render(contents[at]) + own, first) };
}

/** Text of ours that is markup already. Never for what was read from somewhere. */
export const ownMarkup = (text: string): Html => ({ [markup]: text });

/** What is written to a file. */
export const markupOf = (piece: Html): string => piece[markup];

/** Text as a page shows it: no character of it means anything to a browser, or hides from its reader (T55). */
export function escapeHtml(text: string): string {
  if (harmless.test(text)) return text;
  return plainText(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Most of what a page is made from. */
const harmless = /^[\w .,:;#%()/+-]*$/;

function render(content: Content): string {
  if (content === undefined || content === null || typeof content === "boolean") return "";
  if (typeof content === "number") return String(content);
  if (typeof content === "string") return escapeHtml(content);
  return isList(content) ? content.map(render).join("") : content[markup];
}

const isList = (content: object): content is readonly Content[] => Array.isArray(content);

/** The texts of a template are the same object each time it is used. */
const known = new WeakMap<TemplateStringsArray, readonly string[]>();

function ownTexts(template: TemplateStringsArray): readonly string[] {
  const before = known.get(template);
  if (before) return before;
  const texts = template.map((text) => text.replace(/\n\s*/g, ""));
  // Without quotes a space would end the attribute.
  if (texts.some((text) => text.endsWith("="))) throw new Error("An attribute needs quotes.");
  known.set(template, texts);
  return texts;
}
