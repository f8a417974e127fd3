import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A machine that has never run them knows no times. Each of these works on one thing after the other for minutes. */
const longest = ["kill-sweep", "failing-effects", "parallel-kills", "cancel", "mutants"];

/** Begins with the tests of `test/torture`, the longest: the others run beside them, and none of them is left for the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const [, name = ""] = /\/test\/torture\/([\w-]+)\.test\.ts$/.exec(moduleId) ?? [];
  if (name === "") return longest.length + 1;
  const place = longest.indexOf(name);
  return place === -1 ? longest.length : place;
}
