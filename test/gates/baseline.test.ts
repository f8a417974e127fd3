import { join } from "node:path";
import { expect, test } from "vitest";
import { type BaselineDeps, runBaseline } from "../../src/gates/baseline.ts";
import { createTestFolder, createTestSystem, type TestSystem } from "../support/project/system.ts";
import { gateDeps, writeTree } from "./shell-deps.ts";

/** A work tree `work` beside a checkout that exists only while it is open. */
async function baselineDeps(
  system: TestSystem,
  { start, setup = [] }: { start: Record<string, string>; setup?: BaselineDeps["setup"] },
): Promise<BaselineDeps> {
  const root = join(system.root, "work");
  await writeTree(root, { "value.txt": "new" });
  return {
    ...(await gateDeps(system, { root })),
    system,
    setup,
    openCheckout: async (tree) => {
      const folder = await createTestFolder();
      await writeTree(folder.path, { ...start, tree });
      return {
        root: folder.path,
        wrap: (program) => program,
        paths: async () => Object.keys(start),
        [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
      };
    },
  };
}

const gate = (cmd: string) => ({ gate: { cmd, timeout_seconds: 20 }, tree: "t1" });

test("the gate judges the start tree, not the work tree", async () => {
  await using system = await createTestSystem();
  const deps = await baselineDeps(system, { start: { "value.txt": "old" } });
  const { output } = await runBaseline(deps, gate("cat value.txt tree"));
  expect(output).toBe("oldt1");
});

test("failures are named below the checkout's root, so that they compare with the work tree's", async () => {
  await using system = await createTestSystem();
  const deps = await baselineDeps(system, { start: { "a.py": "" } });
  const { fingerprints } = await runBaseline(deps, gate('echo "$PWD/a.py:1: error: bad"; exit 1'));
  expect(fingerprints).toEqual(["a.py: bad"]);
});

test("a condition that the start tree does not meet skips the gate", async () => {
  await using system = await createTestSystem();
  const deps = await baselineDeps(system, { start: { "a.py": "" } });
  const rules = { cmd: "false", when: "value.txt", timeout_seconds: 20 };
  expect((await runBaseline(deps, { gate: rules, tree: "t1" })).status).toBe("skipped");
});

test("the checkout is gone afterwards", async () => {
  await using system = await createTestSystem();
  const deps = await baselineDeps(system, { start: {} });
  const { output } = await runBaseline(deps, gate("pwd"));
  const path = output.trim();
  expect(path).toMatch(/ralph-test-/);
  expect(
    await system.files(join(path, "..")).stat(path.slice(path.lastIndexOf("/") + 1)),
  ).toBeUndefined();
});

test("setup steps prepare the checkout", async () => {
  await using system = await createTestSystem();
  const setup = [{ cmd: "echo ready > tool", timeout_seconds: 20 }];
  const deps = await baselineDeps(system, { start: {}, setup });
  expect((await runBaseline(deps, gate("cat tool"))).output).toBe("ready\n");
});

test("without its tools a gate says nothing about the start tree", async () => {
  await using system = await createTestSystem();
  const setup = [{ cmd: "echo 'a.py:1: error: x'; exit 1", timeout_seconds: 20 }];
  const deps = await baselineDeps(system, { start: {}, setup });
  const result = await runBaseline(deps, gate("true"));
  expect(result).toMatchObject({ status: "not_started", fingerprints: [] });
  expect(result.detail).toMatch(/^setup step failed on the start tree: exit code 1\n/);
});

test("without setup steps the installed packages are visible", async () => {
  await using system = await createTestSystem();
  const deps = await baselineDeps(system, { start: { "package.json": "{}" } });
  await writeTree(deps.root, { "node_modules/tool/run.sh": "echo tool" });
  expect((await runBaseline(deps, gate("sh node_modules/tool/run.sh"))).output).toBe("tool\n");
  expect((await system.files(deps.root).stat("node_modules/tool/run.sh"))?.kind).toBe("file");
});

test("in the work tree itself nothing is prepared", async () => {
  await using system = await createTestSystem();
  const setup = [{ cmd: "exit 1", timeout_seconds: 20 }];
  const deps = await baselineDeps(system, { start: {}, setup });
  const { root, wrap, paths } = deps;
  const openCheckout = async () => ({ root, wrap, paths, [Symbol.asyncDispose]: async () => {} });
  expect((await runBaseline({ ...deps, openCheckout }, gate("true"))).status).toBe("passed");
});
