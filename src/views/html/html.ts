import { plainText } from "../../text/plain-text.ts";

/** Input cannot forge this key: only `html` and `ownMarkup` create markup. */
const markup = Symbol("markup");

/** A piece of a page. */
export type Html = { readonly [markup]: string };

/** The content of a page: strings are escaped, pieces are not; booleans, null and undefined are empty. */
export type Content = Html | string | number | boolean | null | undefined | readonly Content[];

/** A template whose contents can neither open a tag nor leave an attribute. Line breaks and indentation are removed. */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const [first = "", ...rest] = ownTexts(template);
  return { [markup]: rest.reduce((text, own, at) => text + render(contents[at]) + own, first) };
}

/** Marks trusted text as markup. Never use it for input. */
export const ownMarkup = (text: string): Html => ({ [markup]: text });

/** The text to write to a file. */
export const markupOf = (piece: Html): string => piece[markup];

/** Escapes text: no character has a meaning for a browser or is invisible (T55). */
export function escapeHtml(text: string): string {
  if (harmless.test(text)) return text;
  return plainText(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
}

const harmless = /^[\w .,:;#%()/+-]*$/;

function render(content: Content): string {
  if (content === undefined || content === null || typeof content === "boolean") return "";
  if (typeof content === "number") return String(content);
  if (typeof content === "string") return escapeHtml(content);
  return isList(content) ? content.map(render).join("") : content[markup];
}

const isList = (content: object): content is readonly Content[] => Array.isArray(content);

/** A template passes the same object on each use. */
const known = new WeakMap<TemplateStringsArray, readonly string[]>();

function ownTexts(template: TemplateStringsArray): readonly string[] {
  const before = known.get(template);
  if (before) return before;
  const texts = template.map((text) => text.replace(/\n\s*/g, ""));
  // Without quotes a space ends the attribute.
  if (texts.some((text) => text.endsWith("="))) throw new Error("An attribute needs quotes.");
  known.set(template, texts);
  return texts;
}
