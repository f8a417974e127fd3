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

type FittedSection = { section: Section; shown: number };

const sectionEnd = "\n\n";

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

/** Gives the sections room by rank, item by item, until `maxBytes` are used. A head without items is left out. */
export function fitSections(sections: readonly Section[], maxBytes: number): FittedSection[] {
  const shown = new Map<Section, number>();
  let left = maxBytes;
  for (const section of sections.toSorted((a, b) => a.rank - b.rank)) {
    let bytes = Buffer.byteLength(section.head + sectionEnd);
    let count = 0;
    for (const item of section.items) {
      const more = Buffer.byteLength(item + section.separator);
      if (bytes + more > left) break;
      bytes += more;
      count += 1;
    }
    shown.set(section, count);
    if (count > 0) left -= bytes;
  }
  return sections.map((section) => ({ section, shown: shown.get(section) ?? 0 }));
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
