import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins with the tests of `test/torture`, the longest: the others run beside them, and none of them is left for the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/test/torture/");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
