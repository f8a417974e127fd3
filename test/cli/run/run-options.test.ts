import { expect, test } from "vitest";
import { parseRunOptions } from "../../../src/cli/run/run-options.ts";

test("typed options become values, and empty ones are not given", () => {
  const typed = {
    maxIterations: "3",
    timeout: "10m",
    budget: "2.50",
    maxRuntime: "2h",
    prdJson: "",
    json: true,
  };
  expect(parseRunOptions(typed, {})).toEqual({
    maxIterations: 3,
    timeout: 600,
    budget: 2.5,
    maxRuntime: 7200,
    dryRun: false,
  });
});

test("every wrong option is named at once: exit 1", () => {
  const typed = { budget: "-1", parallel: "33", timeout: "0s", maxRuntime: "x", modelImpl: "a b" };
  expect(() => parseRunOptions(typed, {})).toThrow(
    expect.objectContaining({
      exitCode: 1,
      message: [
        '--model-impl=a b must be one word that does not start with "-", such as haiku.',
        '--timeout=0s must be a time from 1 to 86400 seconds: whole seconds, or text such as "90s", "30m", "2h".',
        "--parallel=33 must be at most 32.",
        "--budget=-1 must be an amount in US dollars, such as 2.50.",
        '--max-runtime=x must be a time from 1 to 2592000 seconds: whole seconds, or text such as "90s", "30m", "2h".',
      ].join("\n"),
    }),
  );
});

test("verification after the last task is asked for, or left out", () => {
  const asked = { postVerify: true, uiVerify: false, env: "prod" };
  expect(parseRunOptions(asked, {})).toEqual({ ...asked, dryRun: false });
});
