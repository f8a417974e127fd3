import { expect, test } from "vitest";
import { requirePlatform } from "../../../src/action/checks/checks.ts";

test.each(["linux", "darwin"] as const)("%s is worked on", (platform) => {
  expect(() => requirePlatform(platform)).not.toThrow();
});

test("on Windows nothing is started, and the way out is named", () => {
  expect(() => requirePlatform("win32")).toThrow(
    expect.objectContaining({
      exitCode: 1,
      message: "ralph does not work on Windows runners; nothing was started.",
      remedy: "Set `runs-on: ubuntu-24.04` for this job.",
    }),
  );
});

test("nor is it on a system nobody has tried", () => {
  expect(() => requirePlatform("freebsd")).toThrow(/freebsd/);
});
