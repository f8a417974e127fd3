import type { Checked } from "../../../model/check-shape.ts";
import type {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
} from "../../../model/dialects/claude-ralph.ts";
import {
  checkAgent,
  checkProgress,
  checkQueue,
  checkRetries,
} from "../../../model/dialects/claude-ralph-rules.ts";

/** JSON as it stands; undefined for what is none. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How Python's `json.dump(..., indent=2)` writes them too. */
export const renderJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** A file that can be used, else undefined: a missing one and a broken one are nobody's state. */
const parsedBy =
  <Data>(check: (value: unknown) => Checked<Data>) =>
  (text: string | undefined): Data | undefined =>
    text === undefined ? undefined : check(parseText(text)).data;

export const parseQueue = parsedBy<ClaudeRalphQueue>(checkQueue);
export const parseRetries = parsedBy<ClaudeRalphRetries>(checkRetries);
export const parseProgress = parsedBy<ClaudeRalphProgress>(checkProgress);
export const parseAgent = parsedBy<ClaudeRalphAgent>(checkAgent);
