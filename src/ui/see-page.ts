import type { EvidenceRef, PictureRef } from "../core/state/measurement.ts";
import { plainLine } from "../text/plain-text.ts";
import type { BrowserClient } from "./browser.ts";
import type { ConsoleEntry } from "./driver/protocol.ts";

export interface SightDeps {
  redact: (text: string) => string;
  /** Stores redacted text as evidence. */
  keepText: (text: string) => Promise<EvidenceRef>;
  /** Undefined once a session has its share of pictures. */
  keepPicture: (bytes: Buffer) => Promise<PictureRef | undefined>;
}

/** A page as people look at it later. */
export interface Sight {
  picture?: PictureRef;
  snapshot?: EvidenceRef;
  console?: EvidenceRef;
  errors: string[];
  /** Title, address and the beginning of the text, one line each; empty when it could not be looked at. */
  shows: string[];
}

const lookMs = 5000;
/** Characters of a page's text in a failure. */
const shownText = 400;

/** Keeps picture, snapshot and console of the page as it is; a page that cannot be looked at leaves nothing. */
export async function seePage(
  browser: BrowserClient,
  { redact, keepText, keepPicture }: SightDeps,
): Promise<Sight> {
  const answer = await browser.ask({ do: "look", timeoutMs: lookMs });
  if (!answer.ok || !answer.look) return { errors: [], shows: [] };
  const { url, title, text, snapshot, console, consoleTotal } = answer.look;
  const sight: Sight = {
    errors: console.filter(({ type }) => type === "error").map(({ text }) => redact(text)),
    shows: [
      redact(`the page: ${plainLine(title, 100) || "without a title"}, ${plainLine(url, 200)}`),
      redact(`it shows: ${plainLine(text, shownText) || "nothing"}`),
    ],
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
