/** Stands where output was left out between its head and its tail. */
export function renderCut(bytes: number): string {
  return `\n[... ${bytes} bytes left out ...]\n`;
}

/** Finds every such place; the group keeps it when splitting. */
export const cutPattern = /(\n\[\.\.\. \d+ bytes left out \.\.\.\]\n)/;
