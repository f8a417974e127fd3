import { expect, test } from "vitest";
import { renderPath } from "../../../src/schema/base/finding.ts";

test.each<[PropertyKey[], string]>([
  [[], "the document"],
  [["limits", "max_iterations"], "limits.max_iterations"],
  [["tasks", 0, "subtasks", 12], "tasks[0].subtasks[12]"],
  [[3, "ts"], "[3].ts"],
  [["services", "my app"], 'services["my app"]'],
  [["a\nb"], '["a\\nb"]'],
])("the path %j reads %s", (path, text) => {
  expect(renderPath(path)).toBe(text);
});
