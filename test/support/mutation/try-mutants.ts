import { json } from "node:stream/consumers";
import { createVitest, type Vitest } from "vitest/node";
import { slowTests } from "./modules.ts";
import type { ModuleMutant } from "./mutants.ts";

/**
 * Reads mutants from its input, runs the tests of each, and prints a line for each: whether they noticed it. The first line
 * says whether they pass without any.
 */
const root = new URL("../../../", import.meta.url).pathname.replace(/\/$/, "");
const mutants = (await json(process.stdin)) as ModuleMutant[];
let active: Pick<ModuleMutant, "file" | "text"> | undefined;

const vitest: Vitest = await createVitest(
  {
    ...{ config: false, root, watch: true, silent: true, reporters: [{}] },
    include: mutants.flatMap(({ tests }) => tests),
    setupFiles: ["test/setup/fuzz.ts"],
    testNamePattern: `^(?!.*(?:${slowTests}))`,
    ...{ pool: "threads", maxWorkers: 1, bail: 1, testTimeout: 120_000 },
    // It knows a module by its file, which does not change.
    fsModuleCache: false,
  },
  {
    server: { watch: null },
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        transform: (_, id) => (id === `${root}/${active?.file}` ? active?.text : undefined),
      },
    ],
  },
);
await vitest.standalone();

async function isGreen(tests: readonly string[]): Promise<boolean> {
  const wanted = tests.flatMap((test) => vitest.getModuleSpecifications(`${root}/${test}`));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  return testModules.every((module) => module.ok()) && unhandledErrors.length === 0;
}

const print = (answer: boolean) => process.stdout.write(`${answer}\n`);
print(await isGreen([...new Set(mutants.flatMap(({ tests }) => tests))]));
for (const mutant of mutants) {
  active = mutant;
  vitest.invalidateFile(`${root}/${mutant.file}`);
  print(!(await isGreen(mutant.tests)));
  vitest.invalidateFile(`${root}/${mutant.file}`);
}
process.exit();
