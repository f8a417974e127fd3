/** A tag of one name in a text; `start` and `end` are the offsets before `<` and after `>`. */
export type Tag =
  | { kind: "opening"; start: number; end: number; attributes: Attributes }
  | { kind: "closing"; start: number; end: number };

type Attributes = Readonly<Partial<Record<string, string>>>;

/** Longest tag that is read: the attributes need about a hundred characters. */
const maxTag = 512;

/**
 * All tags of one lower-case name, in order, whatever case the text uses. Linear in the text and constant in
 * memory, because pieces between two `<` are read once (T48, T62). Malformed tags are skipped: a `<` inside the tag, an
 * attribute without quotes, the same attribute twice.
 */
export function* scanTags(text: string, name: string): Generator<Tag> {
  let start = text.indexOf("<");
  while (start !== -1) {
    const next = text.indexOf("<", start + 1);
    const tag = tagAt(text, { start, limit: next === -1 ? text.length : next, name });
    if (tag) yield tag;
    start = next;
  }
}

type Piece = { start: number; limit: number; name: string };

function tagAt(text: string, { start, limit, name }: Piece): Tag | undefined {
  const isClosing = text[start + 1] === "/";
  const nameAt = start + (isClosing ? 2 : 1);
  if (!isNameAt(text, nameAt, name)) return undefined;
  const rest = text.slice(nameAt + name.length, Math.min(limit, start + maxTag));
  const length = rest.indexOf(">");
  if (length === -1) return undefined;
  const inside = rest.slice(0, length);
  const end = nameAt + name.length + length + 1;
  if (isClosing) return inside.trim() === "" ? { kind: "closing", start, end } : undefined;
  const attributes = parseAttributes(inside);
  return attributes && { kind: "opening", start, end, attributes };
}

/** Compares letter by letter: lower-casing the whole text could change its length. */
function isNameAt(text: string, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if (lowerCase(text.charCodeAt(at + i)) !== name.charCodeAt(i)) return false;
  }
  return true;
}

const lowerCase = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);

function parseAttributes(inside: string): Attributes | undefined {
  const attributes = new Map<string, string>();
  const attribute = /\s+([a-z]+)=(?:"([^"]*)"|'([^']*)')/giy;
  let end = 0;
  for (let match = attribute.exec(inside); match; match = attribute.exec(inside)) {
    const [, name = "", double, single = ""] = match;
    if (attributes.has(name.toLowerCase())) return undefined;
    attributes.set(name.toLowerCase(), double ?? single);
    end = attribute.lastIndex;
  }
  const isWhole = /^\s*\/?$/.test(inside.slice(end));
  return isWhole ? Object.fromEntries(attributes) : undefined;
}
