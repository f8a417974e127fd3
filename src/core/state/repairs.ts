import type { FactOf } from "./event.ts";
import type { Usage } from "./measurement.ts";
import type { Role } from "./roles.ts";
import type { Verification } from "./verification.ts";

type About = Pick<FactOf<"fix_start">, "phase" | "iteration" | "limit" | "failure">;

/** The repairs of the program after the last task. */
export interface Repairs {
  /** All that have ended, oldest first. */
  ended: readonly EndedRepair[];
  /** How many of them were before a person started the session again: those count for no limit. */
  earlier: number;
  open?: OpenRepair;
}

/** The repair under way. */
export interface OpenRepair extends About {
  /** The tree it repairs, and the work so far. */
  base: string;
  tree: string;
  /** What was seen of the tree it repairs. */
  before: Verification;
  /** The answered calls, with the body of a valid signal. */
  answers: Readonly<Partial<Record<Role, string | undefined>>>;
  /** Every call that has ended, by role. */
  calls: Readonly<Partial<Record<Role, number>>>;
  /** Paths that were put back after the fixer's call. */
  refused: readonly string[];
  usage: Usage;
  checked?: FactOf<"fix_checked">;
}

export interface EndedRepair extends About, Pick<FactOf<"fix_end">, "tree" | "outcome" | "detail"> {
  base: string;
  files: FactOf<"fix_end">["files"];
  /** What the fixer says it changed. */
  claim?: string | undefined;
  refused: readonly string[];
  calls: OpenRepair["calls"];
  usage: Usage;
  findings: FactOf<"fix_checked">["findings"];
  at: string;
  /** The journal's position at its end, `seq:hash`: a trailer of its commit. */
  anchor: string;
  /** The commit it is committed on; absent where repairs stay in the work tree. */
  parent?: string | undefined;
  commit?: string;
}

/** A journaled repair that is kept, without its journaled commit. */
export function uncommittedRepair({ repairs }: { repairs?: Repairs }): EndedRepair | undefined {
  const last = repairs?.ended.at(-1);
  return last?.parent !== undefined && last.commit === undefined ? last : undefined;
}
