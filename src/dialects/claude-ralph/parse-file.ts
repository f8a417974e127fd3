import type { Checked } from "../../schema/base/check-shape.ts";
import { parseText } from "../json-text.ts";
import type {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
} from "./schema/index.ts";
import { checkAgent, checkProgress, checkQueue, checkRetries } from "./schema/rules.ts";

/** A file that can be used, else undefined: a missing one and a broken one are nobody's state. */
const parsedBy =
  <Data>(check: (value: unknown) => Checked<Data>) =>
  (text: string | undefined): Data | undefined =>
    text === undefined ? undefined : check(parseText(text)).data;

export const parseQueue = parsedBy<ClaudeRalphQueue>(checkQueue);
export const parseRetries = parsedBy<ClaudeRalphRetries>(checkRetries);
export const parseProgress = parsedBy<ClaudeRalphProgress>(checkProgress);
export const parseAgent = parsedBy<ClaudeRalphAgent>(checkAgent);
