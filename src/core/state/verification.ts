import type { FactOf } from "./event.ts";
import type { VerifyPhase } from "./verify-event.ts";

/** The facts of `verify-event.ts`. */
export type VerifyFact = FactOf<
  | "service_start"
  | "service_ready"
  | "service_failed"
  | "service_stop"
  | "ui_test_start"
  | "ui_test_end"
  | "verify_phase_end"
>;

/** The state of the running program: the last result of every phase and of every test. */
export interface Verification {
  phases: Readonly<Partial<Record<VerifyPhase, FactOf<"verify_phase_end">>>>;
  /** In the order in which they first ran. */
  tests: readonly FactOf<"ui_test_end">[];
  /** Pictures so far, those of criteria included: they number the files that show them. */
  pictures: number;
}

export const noVerification: Verification = { phases: {}, tests: [], pictures: 0 };

/** Pure. Services start for criteria too, so they alone say nothing about verification. */
export function applyVerification(
  state: Verification | undefined,
  event: VerifyFact | FactOf<"criteria_end">,
): Verification | undefined {
  const known = state ?? noVerification;
  switch (event.type) {
    case "criteria_end": {
      const count = event.results.filter(({ picture }) => picture).length;
      return count === 0 ? state : { ...known, pictures: known.pictures + count };
    }
    case "ui_test_end": {
      const pictures = known.pictures + (event.picture ? 1 : 0);
      return { ...known, tests: withTest(known.tests, event), pictures };
    }
    case "verify_phase_end":
      return { ...known, phases: { ...known.phases, [event.phase]: event } };
    default:
      return state;
  }
}

function withTest(
  tests: Verification["tests"],
  result: FactOf<"ui_test_end">,
): Verification["tests"] {
  const isSame = ({ test, framework }: FactOf<"ui_test_end">) =>
    test === result.test && framework === result.framework;
  return tests.some(isSame)
    ? tests.map((each) => (isSame(each) ? result : each))
    : [...tests, result];
}
