import { expect, test } from "vitest";
import { renderWelcome, smallestConfig, smallestTasks } from "../../src/cli/welcome-text.ts";
import { parseConfig } from "../../src/system/config-file.ts";
import { parseTaskFile } from "../../src/system/task-file.ts";

test("the smallest files that are shown are sound, without a warning", () => {
  const { config, warnings } = parseConfig(Buffer.from(smallestConfig("trunk")), "ralph.yml");
  expect(config.git.base_branch).toBe("trunk");
  expect(warnings).toEqual([]);
  expect(parseTaskFile(Buffer.from(smallestTasks), "prd.json").warnings).toEqual([]);
});

test("a running session is to be watched", () => {
  expect(renderWelcome({ kind: "running", session: "20260125-143052-a7b3c9" })).toBe(
    [
      "Session 20260125-143052-a7b3c9 is running.",
      "",
      "Next step:",
      "  ralph status --watch",
      "",
      "Help: ralph --help, ralph <command> --help",
    ].join("\n"),
  );
});
