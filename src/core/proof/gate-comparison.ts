import type { Census } from "../state/measurement.ts";

/** The results of a gate before the task and with its work. */
export interface GateComparison {
  gate: string;
  before: { status: string; tests?: Census | undefined };
  after: {
    status: string;
    tests?: Census | undefined;
    ms?: number;
    planted?: readonly string[] | undefined;
  };
}

/** Tests that ran, whatever they said; 0 where nothing was counted. */
export const executed = (tests: Census | undefined): number =>
  tests ? tests.passed + tests.failed : 0;
