import type { VerifyFact } from "../../core/state/verify-event.ts";
import type { GateResult } from "../../gates/gates.ts";
import type { StagePlace } from "../loop/open-stage.ts";

/** Where a verification runs, and who hears of it. */
export interface VerifyPlace extends StagePlace {
  notice: (fact: VerifyFact) => Promise<void>;
  gateEnded: (name: string, result: GateResult) => void;
  /** The tree that is verified. */
  tree: string;
}
