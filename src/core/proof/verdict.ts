import type { ProofCheck, ProofFigures, ProofFinding, ProofPart } from "../state/proof-event.ts";
import type { ProofLevel } from "./settings.ts";

/** The next need or the result of the proof of a task's work. */
export type ProofVerdict =
  | { kind: "plan" }
  /** How many tests the gate ran before the session is not known yet. */
  | { kind: "baseline"; gate: string }
  | { kind: "run"; gate: string; part: ProofPart; tree: string }
  | { kind: "refused"; check: ProofCheck; feedback: string }
  | { kind: "asked"; check: ProofCheck; feedback: string }
  | { kind: "judged"; findings: ProofFinding[]; figures: ProofFigures };

/** A verdict that stops the judging: something has to happen first. */
export type Halt = Exclude<ProofVerdict, { kind: "judged" }>;

/** One check's answer: it halts the judging, or it adds what it found. */
export type Answer =
  | { halt: Halt }
  | { findings: readonly ProofFinding[]; figures?: Partial<ProofFigures> };

/** A bad verdict, before the level of its check decides what it leads to. */
export interface Problem {
  check: ProofCheck;
  /** For agents and people: what was seen, and what would be right. */
  message: string;
  paths?: readonly string[];
  /** The consequence of `require`; the level `ask` never refuses. */
  atWorst: "refuse" | "ask" | "finding" | "note";
  /** The level `ask` refuses too, once the test writer was asked in vain. */
  isFirm?: boolean;
}

/** A refusal, one question to the test writer, a finding or a note: what the configured level makes of a problem. */
export function respond(
  { check, message, paths = [], atWorst, isFirm = false }: Problem,
  { level, mayAsk }: { level: ProofLevel; mayAsk: boolean },
): Answer {
  const feedback = message;
  if (level === "off") return { findings: [] };
  const refuses = level === "require" || (level === "ask" && isFirm && !mayAsk);
  if (refuses && atWorst === "refuse") return { halt: { kind: "refused", check, feedback } };
  if (level !== "report" && (atWorst === "refuse" || atWorst === "ask") && mayAsk) {
    return { halt: { kind: "asked", check, feedback } };
  }
  const kind = level === "report" || atWorst === "note" ? "note" : "finding";
  return { findings: [{ kind, check, message, paths: [...paths] }] };
}
