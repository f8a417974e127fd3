import * as z from "zod";
import { between, Globs, TestOrder } from "../base/fields.ts";

const levels = ["require", "ask", "report", "off"] as const;
const level = (usual: (typeof levels)[number]) => z.enum(levels).default(usual);

/** Demands on a task's work beside green gates (design 4b). Read at the start commit only. */
export const Proof = z.strictObject({
  census: level("require").describe(
    "Gates run no fewer tests than before. require refuses, ask asks the test writer once, report only says it, off skips the check",
  ),
  originals: level("require").describe("Old tests, as they were before the task, hold on its work"),
  controls: level("require").describe("Gates hold with the settings the task found"),
  red_first: level("ask").describe("The task's own tests fail without its work"),
  witness: level("require").describe("A test fails when the task's changes are taken back"),
  witness_hunks: between(0, 100)
    .default(8)
    .describe("Most changes of a task that are taken back, one at a time"),
  witness_minutes: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      "Most minutes for these runs of a task; what is left is not tried. Default: three times the gates' own time, at least 2",
    ),
  may_change: Globs.describe("Settings of gates that tasks may change, such as tsconfig.json"),
});
export type Proof = z.output<typeof Proof>;

/** When tests are written, and the changes that tasks may make to existing tests. */
export const Tests = z.strictObject({
  order: TestOrder.default("tests_last").describe(
    "tests_first: tests are written from the criteria alone, must fail on the code as it is, and the implementation cannot read them",
  ),
  may_change: Globs.describe(
    "Old tests that tasks may change without a finding, such as snapshots",
  ),
});
export type Tests = z.output<typeof Tests>;
