import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./setup/longest-first.ts";
import { ProjectReporter } from "./setup/reporter.ts";
import { splitTests, testFiles } from "./setup/split.ts";

const root = new URL("..", import.meta.url).pathname;
const torture = "test/torture/**";
const agents = "test/agents-real/**";
const { unit, system } = splitTests(root, testFiles(root, [torture, agents]));

/** Time limits only end what hangs: on a busy machine a test may take many times as long as on a quiet one. */
const hangMs = 300_000;

/** `npm run torture`: all projects run side by side, since most of its tests wait for programs. */
const isTorture = process.env.TORTURE !== undefined;

const shared = {
  root,
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  // A process for each file would take as long to start as most files take.
  isolate: false,
  testTimeout: hangMs,
  hookTimeout: hangMs,
  expect: { poll: { timeout: hangMs, interval: 20 } },
  setupFiles: [
    "test/setup/fuzz.ts",
    "test/setup/openapi.ts",
    ...(isTorture ? ["test/setup/processor.ts"] : []),
  ],
};

const always = [
  { ...shared, name: "unit", include: unit, order: 0 },
  { ...shared, name: "system", include: system, globalSetup: "test/setup/build.ts", order: 1 },
];

/** Run only when asked for by name: hours of kills, and real agent programs that are large to install. */
const special = [
  { ...shared, name: "torture", include: [`${torture}/*.test.ts`], order: 2 },
  {
    ...shared,
    name: "agents",
    include: [`${agents}/*.test.ts`],
    globalSetup: "test/agents-real/setup.ts",
    order: 2,
  },
];
const asked = special.filter(({ name }) =>
  process.argv.join(" ").match(`--project[ =]${name}(?: |$)`),
);

export default defineConfig({
  test: {
    // More than there are processors: most system tests wait for programs they have started.
    maxWorkers: availableParallelism() + 2,
    ...(isTorture && { sequence: { sequencer: LongestFirst } }),
    globalSetup: "test/setup/scratch.ts",
    reporters: [
      new ProjectReporter(unit.length + system.length),
      ...(process.env.GITHUB_ACTIONS ? ["github-actions"] : []),
    ],
    projects: [...always, ...asked].map(({ order, ...test }) => ({
      test: { ...test, sequence: { groupOrder: isTorture ? 0 : order } },
    })),
  },
});
