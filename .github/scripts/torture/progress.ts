import type { Reporter, TestModule, TestSpecification } from "vitest/node";

/** Prints one line for each test file when it ends: a run of minutes shows where its time goes. Vitest wants a default export. */
export default class Progress implements Reporter {
  #began = 0;
  #ended = 0;
  #count = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#began = performance.now();
    this.#count = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    this.#ended += 1;
    const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
    const at = seconds(performance.now() - this.#began).padStart(6);
    const place = `${this.#ended}/${this.#count}`.padStart(9);
    const failed = module.ok() ? "" : " FAILED";
    const tests = [...module.children.allTests()];
    const cost = tests.reduce((sum, test) => sum + (test.meta().processorSeconds ?? 0), 0);
    const took = `${seconds(module.diagnostic().duration)}, processor ${seconds(cost * 1000)}`;
    console.log(`${at} ${place}  ${module.relativeModuleId} (${took})${failed}`);
  }
}
