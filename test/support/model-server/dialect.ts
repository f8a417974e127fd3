import type { Deed, Refusal } from "./script.ts";

/** How a provider's API is spoken: what a request holds, and what an answer looks like on the wire. */
export interface Dialect {
  /** The address at which the model is asked. */
  path: RegExp;
  read: (body: unknown, path: string) => Ask;
  render: (answer: Answer) => Rendered;
  refusal: (refusal: Refusal, id: number) => unknown;
  /** What other addresses answer with; 404 for those that are not here. */
  others: Record<string, unknown>;
  /** The answer to a question that has nothing to do with the work; undefined for all others. */
  aside?: (ask: Ask) => string | undefined;
}

/** What the program asked, in words that hold for every provider. */
export interface Ask {
  model: string;
  isStream: boolean;
  /** Text of the system and the user, in order. */
  prompt: string;
  /** Names of the tools the model may use. */
  tools: readonly string[];
  /** What the tools answered so far, in order. */
  results: readonly string[];
}

/** What the model answers; `id` is a number of its own. */
export interface Answer {
  id: number;
  ask: Ask;
  text: string;
  deeds: readonly Deed[];
  inputTokens: number;
}

/** `type` is also the name of the event; Google's have none. */
export type ServerEvent = { type?: string } & Record<string, unknown>;

export interface Rendered {
  /** The answer as a stream of events; an answer that breaks off lacks the closing ones. */
  opening: readonly ServerEvent[];
  closing: readonly ServerEvent[];
  /** The same in one piece. */
  whole: unknown;
}

/** About four characters make a token. */
export const tokensIn = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);

/** A string in single quotes, as a shell reads it. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
