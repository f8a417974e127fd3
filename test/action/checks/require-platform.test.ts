import { expect, test } from "vitest";
import { requirePlatform } from "../../../src/action/checks/checks.ts";

test.each(["linux", "darwin"] as const)("%s is supported", (platform) => {
  expect(() => requirePlatform(platform)).not.toThrow();
});

test("on Windows nothing starts, and the remedy names a runner", () => {
  expect(() => requirePlatform("win32")).toThrow(
    expect.objectContaining({
      exitCode: 1,
      message: "ralph does not work on Windows runners; nothing was started.",
      remedy: "Set `runs-on: ubuntu-24.04` for this job.",
    }),
  );
});

test("an untested system is refused, too", () => {
  expect(() => requirePlatform("freebsd")).toThrow(/freebsd/);
});
