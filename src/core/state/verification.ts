import type { FactOf } from "./event.ts";
import type { VerifyFact, VerifyPhase } from "./verify-event.ts";

/** The last result of a test; `pictureNumber` is in the name of the file that shows its page. */
export type VerifiedTest = FactOf<"ui_test_end"> & { pictureNumber?: number };

/** The state of the running program: the last result of every phase and of every test. */
export interface Verification {
  phases: Readonly<Partial<Record<VerifyPhase, FactOf<"verify_phase_end">>>>;
  /** In the order in which they first ran. */
  tests: readonly VerifiedTest[];
  /** The last look at each page before and after each task. */
  pages: readonly FactOf<"page_seen">[];
  /** Pictures so far, those of criteria included: they number the files that show them. */
  pictures: number;
  /** A program of somebody else holds the port of a service: no repair frees it. */
  isPortTaken?: boolean;
}

export const noVerification: Verification = { phases: {}, tests: [], pages: [], pictures: 0 };

const nothingSeen: Pick<Verification, "phases" | "tests" | "isPortTaken"> = {
  phases: {},
  tests: [],
  isPortTaken: false,
};

/** Pure. Services start for criteria too, so they alone say nothing about verification. */
export function applyVerification(
  state: Verification | undefined,
  event: VerifyFact | FactOf<"criteria_end">,
): Verification | undefined {
  const known = state ?? noVerification;
  switch (event.type) {
    case "verify_start":
      return { ...known, ...nothingSeen };
    case "criteria_end": {
      const count = event.results.filter(({ picture }) => picture).length;
      return count === 0 ? state : { ...known, pictures: known.pictures + count };
    }
    case "ui_test_end": {
      const pictures = known.pictures + (event.picture ? 1 : 0);
      const test = { ...event, ...(event.picture && { pictureNumber: pictures }) };
      return { ...known, tests: withTest(known.tests, test), pictures };
    }
    case "page_seen": {
      const isOther = ({ task, when, page }: FactOf<"page_seen">) =>
        task !== event.task || when !== event.when || page !== event.page;
      const pages = [...known.pages.filter(isOther), event];
      return { ...known, pages, pictures: known.pictures + (event.picture ? 1 : 0) };
    }
    case "verify_phase_end":
      return { ...known, phases: { ...known.phases, [event.phase]: event } };
    case "service_failed":
      return event.why === "port" ? { ...known, isPortTaken: true } : state;
    default:
      return state;
  }
}

function withTest(tests: Verification["tests"], result: VerifiedTest): Verification["tests"] {
  const isSame = ({ test, framework }: VerifiedTest) =>
    test === result.test && framework === result.framework;
  return tests.some(isSame)
    ? tests.map((each) => (isSame(each) ? result : each))
    : [...tests, result];
}
