/** JSON as it stands; undefined for what is none. Repeated keys and the like are told by whoever reads the file. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How the files of the dialect are written. */
export const renderJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
