import type { EvidenceRef } from "../core/state/measurement.ts";
import type { BrowserClient } from "./browser.ts";
import type { ConsoleEntry } from "./driver/protocol.ts";

export interface SightDeps {
  redact: (text: string) => string;
  /** Stores redacted text as evidence. */
  keepText: (text: string) => Promise<EvidenceRef>;
  /** Undefined once a session has its share of pictures. */
  keepPicture: (bytes: Buffer) => Promise<EvidenceRef | undefined>;
}

/** A page as people look at it later. */
export interface Sight {
  picture?: EvidenceRef;
  snapshot?: EvidenceRef;
  console?: EvidenceRef;
  errors: string[];
}

const lookMs = 5000;

/** Keeps picture, snapshot and console of the page as it is; a page that cannot be looked at leaves nothing. */
export async function seePage(
  browser: BrowserClient,
  { redact, keepText, keepPicture }: SightDeps,
): Promise<Sight> {
  const answer = await browser.ask({ do: "look", timeoutMs: lookMs });
  if (!answer.ok || !answer.look) return { errors: [] };
  const { url, title, snapshot, console, consoleTotal } = answer.look;
  const sight: Sight = {
    errors: console.filter(({ type }) => type === "error").map(({ text }) => redact(text)),
    snapshot: await keepText(redact(`${title}\n${url}\n\n${snapshot}\n`)),
    ...(consoleTotal > 0 && {
      console: await keepText(redact(renderConsole(console, consoleTotal))),
    }),
  };
  const shot = await browser.ask({ do: "picture", timeoutMs: lookMs });
  const bytes = shot.ok && shot.picture ? Buffer.from(shot.picture, "base64") : undefined;
  const picture = bytes && (await keepPicture(bytes));
  return { ...sight, ...(picture && { picture }) };
}

function renderConsole(entries: readonly ConsoleEntry[], total: number): string {
  const left = total - entries.length;
  const lines = entries.map(({ type, text }) => `${type}: ${text}`);
  return [...lines, ...(left > 0 ? [`[... ${left} more ...]`] : []), ""].join("\n");
}
