/** A JSON object, an empty one for a file that is not there or empty; undefined for anything else. */
export function parseRecord(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  const value = parseText(text);
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

/** The value, or undefined for what is no JSON. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
