/** A JSON object, an empty one for a file that is not there or empty; undefined for anything else. */
export function parseRecord(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  const value = parseText(text);
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

/** JSON as it stands; undefined for what is none. Repeated keys and the like are told by whoever reads the file. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How files of the dialects are written; Python's `json.dump(..., indent=2)` writes them so too. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
