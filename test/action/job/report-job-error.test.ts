import { expect, test } from "vitest";
import { runWithRunner } from "../../support/action/step.ts";
import { createTestFolder } from "../../support/project/system.ts";
import { parseLogCommand } from "../../support/runner/log-commands.ts";

/** Tells an error, made by the expression `made`, in a process of its own. */
async function tell(made: string) {
  await using folder = await createTestFolder();
  const source = `
    import { reportJobError } from "$SRC/action/job/report-job-error.ts";
    import { printTo } from "$SRC/action/step.ts";
    import { RalphError } from "$SRC/error.ts";
    process.exitCode = 0;
    const code = reportJobError(${made}, printTo(process.stdout));
    console.log("code " + code);`;
  const { printed, outputs } = runWithRunner(folder.path, source);
  const lines = printed.trimEnd().split("\n");
  const commands = lines.flatMap((line) => parseLogCommand(line) ?? []);
  const [, code] = /^code (\d+)$/m.exec(printed) ?? [];
  return { lines, commands, outputs, exitCode: Number(code) };
}

const bad = `new RalphError("config", {
  message: "Input gates: must be build.\\nInput budget-usd: must be an amount.",
  remedy: "Correct these inputs.",
})`;

test("an error becomes log lines, an annotation with every problem, outputs and an exit code, without a stack", async () => {
  const { lines, commands, outputs, exitCode } = await tell(bad);
  expect(exitCode).toBe(1);
  expect(outputs).toEqual({ status: "failed", "stop-reason": "config", "exit-code": "1" });
  expect(commands).toEqual([
    {
      name: "error",
      message:
        "Input gates: must be build.\nInput budget-usd: must be an amount.\nCorrect these inputs.",
      properties: { title: "ralph" },
    },
  ]);
  expect(lines.slice(0, 3)).toEqual([
    "Error: Input gates: must be build.",
    "Input budget-usd: must be an amount.",
    "Correct these inputs.",
  ]);
  expect(lines.join("\n")).not.toContain("at ");
});

test("an error message cannot contain a runner command", async () => {
  const { commands } = await tell(`new RalphError("source", {
    message: "x\\n::add-mask::y\\n \\u0085::warning::z\\n##[error]w",
    remedy: "::stop-commands::a",
  })`);
  expect(commands.map(({ name }) => name)).toEqual(["error"]);
});

test("any other error is a bug: exit 70 with its stack, and no output that looks like success", async () => {
  const { lines, commands, outputs, exitCode } = await tell(`new TypeError("x is undefined")`);
  expect(exitCode).toBe(70);
  expect(outputs).toEqual({ status: "failed", "stop-reason": "bug", "exit-code": "70" });
  expect(lines[0]).toBe("Error: This is a bug in ralph. Please report it with these lines:");
  expect(lines.join("\n")).toMatch(/TypeError: x is undefined\n\s+at /);
  expect(commands).toHaveLength(1);
});

test("a thrown value that is no error is reported, too", async () => {
  const { lines, exitCode } = await tell(`"only words"`);
  expect(exitCode).toBe(70);
  expect(lines).toContain("only words");
});
