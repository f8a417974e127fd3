import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const shared = { root, restoreMocks: true };
const torture = "test/torture/**";
const agents = "test/agents-real/**";

/** More than there are processors: most tests wait for programs they have started. */
const maxWorkers = availableParallelism() + 2;

const suite = {
  ...shared,
  name: "suite",
  include: ["test/**/*.test.ts"],
  exclude: [torture, agents],
  testTimeout: 30_000,
};

/** Run only when asked for by name: hours of kills, and real agent programs that are large to install. */
const special = [
  { ...shared, name: "torture", include: [`${torture}/*.test.ts`] },
  {
    ...shared,
    name: "agents",
    include: [`${agents}/*.test.ts`],
    globalSetup: "test/agents-real/setup.ts",
    testTimeout: 60_000,
  },
];
const wanted = special.filter(({ name }) =>
  process.argv.join(" ").match(`--project[ =]${name}(?: |$)`),
);

export default defineConfig({
  test: { maxWorkers, projects: [suite, ...wanted].map((test) => ({ test })) },
});
