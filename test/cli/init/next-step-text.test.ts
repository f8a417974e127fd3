import { expect, test } from "vitest";
import { renderNextStep } from "../../../src/cli/init/next-step.ts";

test("a running session is to be watched", () => {
  expect(renderNextStep({ kind: "running", session: "20260125-143052-a7b3c9" })).toBe(
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
