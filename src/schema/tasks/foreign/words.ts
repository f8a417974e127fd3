/** A text of at most `max` characters; an ellipsis shows that it was cut. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  // Never cuts a character in half.
  return `${text
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

export const onOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The title of a task that only has a description (compatibility 1.19). */
export const titleFrom = (description: string) => shorten(onOneLine(description), 100);

/** Lower-case words joined by hyphens. */
export function slug(text: string): string {
  const words = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return words
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
}

/** The strict form of a branch name (compatibility 1.16), or undefined when nothing remains of it. */
export function strictBranch(name: string): string | undefined {
  const parts = name.split("/").map(slug).filter(Boolean);
  return parts.length > 0
    ? parts
        .join("/")
        .slice(0, 100)
        .replace(/[-/]+$/, "")
    : undefined;
}
