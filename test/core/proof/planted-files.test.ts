import { expect, test } from "vitest";
import { isPlantedProgram, plantedFiles } from "../../../src/core/proof/planted-files.ts";

test.each<[string, boolean, boolean]>([
  ["node_modules/.bin/node", true, true],
  ["packages/a/node_modules/.bin/jest", true, true],
  [".venv/bin/python", true, true],
  ["node_modules/lodash/index.js", true, false],
  ["node_modules/.prisma/client/index.js", true, false],
  ["node_modules/.cache/babel/a.json", false, false],
  ["node_modules/.vite/vitest/results.json", false, false],
  ["node_modules/.package-lock.json", false, false],
  [".venv/lib/python3.12/site-packages/a/__pycache__/b.cpython-312.pyc", false, false],
  ["coverage/index.html", false, false],
  ["target/debug/app", false, false],
])("%s that changes while a gate runs: shown %s, a program %s", (path, isShown, isProgram) => {
  expect(plantedFiles([path])).toEqual(isShown ? [path] : []);
  expect(isPlantedProgram(path)).toBe(isProgram);
});
