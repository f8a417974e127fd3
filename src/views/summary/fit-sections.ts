/** A part of a page that can be cut between its items. */
export interface Section {
  name: string;
  /** Stands once before the items: a heading, a table's head. */
  head: string;
  items: readonly string[];
  /** Between two items, and after the last one where they need it. */
  separator: string;
  /** Room is given to the lowest first; the order on the page is that of the list. */
  rank: number;
}

/** A section with as many of its items as there was room for. */
export interface FittedSection {
  section: Section;
  shown: number;
}

/** What follows every section on the page. */
export const sectionEnd = "\n\n";

export const utf8Bytes = (text: string) => Buffer.byteLength(text);

/** Gives the sections room by rank, item by item, until `maxBytes` are used. */
export function fitSections(sections: readonly Section[], maxBytes: number): FittedSection[] {
  const shown = new Map<Section, number>();
  let left = maxBytes;
  for (const section of sections.toSorted((a, b) => a.rank - b.rank)) {
    const taken = takeItems(section, left);
    shown.set(section, taken.count);
    left -= taken.bytes;
  }
  return sections.map((section) => ({ section, shown: shown.get(section) ?? 0 }));
}

/** A head without an item says nothing, so it is left out too. */
function takeItems({ head, items, separator }: Section, room: number) {
  let bytes = utf8Bytes(head) + utf8Bytes(sectionEnd);
  let count = 0;
  for (const item of items) {
    const more = utf8Bytes(item) + utf8Bytes(separator);
    if (bytes + more > room) break;
    bytes += more;
    count += 1;
  }
  return count === 0 ? { count, bytes: 0 } : { count, bytes };
}

export function renderFitted({ section, shown }: FittedSection): string {
  if (shown === 0) return "";
  const { head, items, separator } = section;
  return `${head}${items.slice(0, shown).join(separator)}${sectionEnd}`;
}

/** `12 entries of "Tasks"`, `the section "Timeline"`: what there was no room for. */
export function omittedParts(fitted: readonly FittedSection[]): string[] {
  return fitted.flatMap(({ section: { name, items }, shown }) => {
    const left = items.length - shown;
    if (left === 0) return [];
    return shown === 0
      ? `the section "${name}"`
      : `${left} ${left === 1 ? "entry" : "entries"} of "${name}"`;
  });
}
