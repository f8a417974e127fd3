import { expect, test } from "vitest";
import { buildOutputs } from "../../../src/core/proof/planted-files.ts";

test.each<[string, string[], string[], string[]]>([
  ["a folder with a changed file", ["dist/", "out.log"], ["dist/a/b.js"], ["dist/"]],
  ["a file", ["tsconfig.tsbuildinfo", "dist/"], ["tsconfig.tsbuildinfo"], ["tsconfig.tsbuildinfo"]],
  ["a folder of a package", ["parts/a/dist/"], ["parts/a/dist/a.js"], ["parts/a/dist/"]],
  ["no packages", ["node_modules/"], ["node_modules/a/b.js"], []],
  ["no reports and caches", ["coverage/", ".pytest_cache/"], ["coverage/a", ".pytest_cache/b"], []],
  ["nothing that cargo keeps in step", ["target/"], ["target/debug/a"], []],
  ["nothing that stayed as it was", ["dist/", "other/"], ["dist/a.js"], ["dist/"]],
])("what a gate builds: %s", (_, ignored, changed, outputs) => {
  expect(buildOutputs(ignored, changed)).toEqual(outputs);
});
