import { expect, test } from "vitest";
import { sampled } from "../setup/sampled.ts";
import { runCommand } from "../support/project/command.ts";

const help = (...args: string[]) =>
  runCommand({ cwd: "/", env: { PATH: process.env.PATH, COLUMNS: "80" } }, [...args, "--help"]);

test.each(
  sampled(
    [
      [],
      ["run"],
      ["status"],
      ["cancel"],
      ["validate"],
      ["import"],
      ["export"],
      ["migrate"],
      ["report"],
      ["scan"],
      ["audit"],
      ["clean"],
      ["hook", "turn"],
    ],
    3,
  ),
)("%s --help explains the command, within 80 columns", async (...args) => {
  const { exitCode, stdout, stderr } = await help(...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`Usage: ${["ralph", ...args].join(" ")} [options]`);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
