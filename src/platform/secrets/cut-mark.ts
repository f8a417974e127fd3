/** The mark for output omitted between head and tail. */
export function renderCut(bytes: number): string {
  return `\n[... ${bytes} bytes left out ...]\n`;
}

/** Matches every cut mark; the group keeps it when splitting. */
export const cutPattern = /(\n\[\.\.\. \d+ bytes left out \.\.\.\]\n)/;
