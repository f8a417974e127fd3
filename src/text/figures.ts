/** `850 ms`, `4.5 s`, `4 min 12 s`, `2 h 05 min`. */
export function renderDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${pad(Math.floor(seconds / 60) % 60)} min`;
}

const pad = (figure: number) => String(figure).padStart(2, "0");

/** `$0.42`; `unknown` for a driver that reports no cost. */
export function renderCost(usd: number | undefined): string {
  return usd === undefined ? "unknown" : dollars(usd);
}

type TokenCounts = { input_tokens?: number | undefined; output_tokens?: number | undefined };

/** `12,400 in, 3,100 out`: input and output tokens; `-` if no driver reported them. */
export function renderTokens({ input_tokens, output_tokens }: TokenCounts): string {
  if (input_tokens === undefined && output_tokens === undefined) return "-";
  return `${thousands(input_tokens)} in, ${thousands(output_tokens)} out`;
}

const thousands = (count: number | undefined) =>
  count === undefined ? "unknown" : String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** `2026-01-25 14:38:05`, UTC as everywhere (compatibility 1.20). */
export function renderStamp(ts: string): string {
  return ts.slice(0, 19).replace("T", " ");
}

/** `2026-01-25 14:38` (UTC) of milliseconds since 1970. */
export function renderMinute(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "unknown";
  return date.toISOString().slice(0, 16).replace("T", " ");
}

/** A figure in a table; `-` for a missing one. */
export const orDash = <Figure>(
  figure: Figure | null | undefined,
  render: (figure: Figure) => string = String,
): string => (figure === null || figure === undefined ? "-" : render(figure));

/** A commit id in the length that people read (compatibility 1.2). */
export const shortCommit = (id: string) => id.slice(0, 12);

/** `1 task`, `3 tasks`. */
export const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;

const smallest = 0.0001;

/** `$0.42`; amounts below ten cents keep up to four decimals, so a small cost never looks like zero. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < smallest) return `under $${smallest}`;
  if (usd >= 0.1) return `$${usd.toFixed(2)}`;
  return `$${usd.toFixed(4).replace(/0{1,2}$/, "")}`;
}

/** `a, b and 3 more`. */
export function firstOf(names: readonly string[], most: number, separator = ", "): string {
  const shown = names.slice(0, most).join(separator);
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
