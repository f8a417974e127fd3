/** A part of a page that can be cut between its items. */
export interface Section {
  name: string;
  /** Rendered once before the items: a heading, a table's head. */
  head: string;
  items: readonly string[];
  /** Rendered between two items. */
  separator: string;
  /** The lowest rank gets room first; the order on the page is that of the list. */
  rank: number;
}

/** A section with as many of its items as there was room for. */
export interface FittedSection {
  section: Section;
  shown: number;
}

/** Follows every section on the page. */
export const sectionEnd = "\n\n";

export const utf8Bytes = (text: string) => Buffer.byteLength(text);

/** A section without a heading. */
export const plainSection = (
  name: string,
  separator: string,
  items: readonly string[],
): Omit<Section, "rank"> => ({ name, head: "", items, separator });

/** A section below its name as a heading. */
export const titledSection = (name: string, separator: string, items: readonly string[]) => ({
  ...plainSection(name, separator, items),
  head: `### ${name}\n\n`,
});

/** A table below its name as a heading; cut between its rows. */
export function tableSection(
  name: string,
  [head = "", rule = "", ...rows]: readonly string[] = [],
) {
  const section = titledSection(name, "\n", rows);
  return { ...section, head: `${section.head}${head}\n${rule}\n` };
}

/** Renders the sections with items in at most `maxBytes`; where some do not fit, `noteOf` gets the omitted parts. */
export function renderSections(
  sections: readonly Section[],
  maxBytes: number,
  noteOf: (omitted: string) => string,
): string {
  const fitted = fitSections(
    sections.filter(({ items }) => items.length > 0),
    maxBytes,
  );
  const omitted = omittedParts(fitted);
  const note = omitted.length > 0 ? noteOf(omitted.join(", ")) : "";
  return `${fitted.map(renderFitted).join("")}${note}`;
}

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

/** A head without items is left out. */
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

/** `12 entries of "Tasks"`, `the section "Timeline"`: the parts that did not fit. */
export function omittedParts(fitted: readonly FittedSection[]): string[] {
  return fitted.flatMap(({ section: { name, items }, shown }) => {
    const left = items.length - shown;
    if (left === 0) return [];
    return shown === 0
      ? `the section "${name}"`
      : `${left} ${left === 1 ? "entry" : "entries"} of "${name}"`;
  });
}
