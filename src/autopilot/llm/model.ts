import type * as z from "zod";
import type { Usage } from "../../core/state/measurement.ts";
import type { Provider } from "../../schema/config/autopilot.ts";

/** The usual limit for a document or a task list, milliseconds (compatibility 1.21). */
export const draftTimeoutMs = 600_000;

/** A model to ask: a provider's API, or an agent program in the work tree. */
export interface Model {
  /** Undefined for an agent program that the configuration does not know as a provider. */
  provider: Provider | undefined;
  /** Its name in messages and records: the provider, then the model. */
  name: string;
  /** Its key in `pricing`; undefined for an agent program's default model. */
  model: string | undefined;
  /** The part of its usage that an answer reports. */
  reportedUsage: "cost" | "tokens" | "nothing";
  ask: (question: Question) => Promise<Reply>;
}

export interface Question {
  /** The model's role and the answer it must give, without any untrusted text. */
  instructions: string;
  /** The material, with everything untrusted in fences. */
  prompt: string;
  /** The shape of the answer, without limits, because not every provider accepts them. */
  shape: z.ZodType;
  /** The name of the answer, for providers that require one. */
  name: string;
  maxTokens: number;
  signal: AbortSignal;
}

/**
 * The result of one question. A failure has a usage too; `againAfterMs` is the shortest wait before the same question, 0 if
 * the provider names none, and undefined where only the user can fix it.
 */
export type Reply =
  | { kind: "answered"; text: string; usage: Usage }
  | {
      kind: "failed";
      message: string;
      remedy: string;
      raw: string;
      againAfterMs: number | undefined;
      usage: Usage;
    };
