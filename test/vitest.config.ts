import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const shared = { root, restoreMocks: true };
const torture = "test/torture/**";

/** Hours of kills are run only when asked for by name: `npm run torture`. */
const wantsTorture = process.argv.includes("torture");

const suites = [
  {
    ...shared,
    name: "suite",
    include: ["test/**/*.test.ts"],
    exclude: [torture],
    testTimeout: 30_000,
  },
  { ...shared, name: "torture", include: [`${torture}/*.test.ts`] },
];

export default defineConfig({
  test: { projects: suites.slice(0, wantsTorture ? 2 : 1).map((test) => ({ test })) },
});
