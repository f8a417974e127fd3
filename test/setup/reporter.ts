import type { UserConsoleLog } from "vitest";
import { MinimalReporter, type TestModule, type TestSpecification } from "vitest/node";

const announcement = "About four minutes on two cores; `npm run test:unit` takes half a minute.";

/** A project as it runs. */
interface Progress {
  /** Files that have not ended yet. */
  waiting: number;
  modules: TestModule[];
  /** Milliseconds since the epoch. */
  startedAt?: number;
}

/** Prints the failures, one line for each project when it ends, and one for each reason to skip tests. */
export class ProjectReporter extends MinimalReporter {
  readonly #projects = new Map<string, Progress>();
  readonly #reasons = new Set<string>();
  readonly #whole: number;

  /** `whole` is the number of files of the whole suite. */
  constructor(whole: number) {
    super();
    this.#whole = whole;
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#projects.clear();
    for (const { project } of specifications) {
      const progress = this.#projects.get(project.name) ?? { waiting: 0, modules: [] };
      this.#projects.set(project.name, { ...progress, waiting: progress.waiting + 1 });
    }
    if (specifications.length >= this.#whole) this.log(announcement);
  }

  onTestModuleStart({ project }: TestModule): void {
    const progress = this.#projects.get(project.name);
    if (progress) progress.startedAt ??= Date.now();
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const progress = this.#projects.get(module.project.name);
    if (!progress) return;
    progress.modules.push(module);
    progress.waiting -= 1;
    if (progress.waiting === 0) this.log(lineOf(module.project.name, progress));
  }

  override onUserConsoleLog(log: UserConsoleLog, state?: "failed"): void {
    const reasons = log.content.split("\n").filter((line) => line.startsWith("skipped: "));
    for (const reason of reasons) this.#reasons.add(reason);
    if (reasons.length === 0) super.onUserConsoleLog(log, state);
  }

  override reportTestSummary(): void {
    for (const reason of this.#reasons) this.log(reason);
  }
}

/** `unit: 1745 tests in 220 files passed, 2 skipped (38 s)`. */
function lineOf(name: string, { modules, startedAt = Date.now() }: Progress): string {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  );
  const count = (state: string) => states.filter((each) => each === state).length;
  const brokenFiles = modules.filter((module) => module.state() === "failed").length;
  const parts = [
    `${count("passed")} tests in ${modules.length} files passed`,
    ...(brokenFiles > 0 ? [`${count("failed")} failed in ${brokenFiles} files`] : []),
    ...(count("skipped") > 0 ? [`${count("skipped")} skipped`] : []),
  ];
  return `${name}: ${parts.join(", ")} (${Math.round((Date.now() - startedAt) / 1000)} s)`;
}
