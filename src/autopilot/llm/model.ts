import type * as z from "zod";
import type { Usage } from "../../core/state/event.ts";
import type { Provider } from "../../schema/config/autopilot.ts";

/** The usual limit for a document or a task list, milliseconds (compatibility 1.21). */
export const draftTimeoutMs = 600_000;

/** Somebody who can be asked: a provider's API, or an agent program in the work tree. */
export interface Model {
  /** Undefined for an agent program that is no provider of the configuration. */
  provider: Provider | undefined;
  /** What to call it in messages and records. */
  name: string;
  /** As `pricing` calls it; undefined for an agent program's own default. */
  model: string | undefined;
  /** What an answer tells about its cost. */
  reportedUsage: "cost" | "tokens" | "nothing";
  ask: (question: Question) => Promise<Reply>;
}

export interface Question {
  /** Who the model is and what it must answer; words of ours alone. */
  instructions: string;
  /** The material, with everything untrusted in fences. */
  prompt: string;
  /** The shape of the answer; without limits, which not every provider accepts. */
  shape: z.ZodType;
  /** Name of the answer for providers that want one. */
  name: string;
  maxTokens: number;
  signal: AbortSignal;
}

/** What came of one question; also a failure may have cost something. It says whether and when to ask again. */
export type Reply =
  | { kind: "answered"; text: string; usage: Usage }
  | { kind: "failed"; message: string; remedy: string; raw: string; again: Again; usage: Usage };

/** `never`: only the user can mend it. Else the milliseconds to wait at least, if the provider says so. */
export type Again = { kind: "never" } | { kind: "later"; afterMs: number | undefined };
