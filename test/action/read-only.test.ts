import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createProject } from "../support/project/project.ts";
import { parseCommandFile } from "../support/runner/command-files.ts";
import { parseLogCommand } from "../support/runner/log-commands.ts";

const canMount = hasProgram("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
const mount = `mount --bind "$GITHUB_WORKSPACE" "$GITHUB_WORKSPACE"
mount -o remount,ro,bind "$GITHUB_WORKSPACE"
exec "$NODE" dist/action.js run 3</dev/null`;

test.runIf(canMount)("a read-only workspace stops the job before an agent is called", async () => {
  await using project = await createProject({
    tasks: [task("T-001")],
    agent: "echo CALLED >&2; exit 1",
  });
  const temp = join(project.folder, "temp");
  mkdirSync(temp);
  const output = join(temp, "output");
  writeFileSync(output, "");
  const env = {
    ...project.system.env,
    NODE: process.execPath,
    GITHUB_WORKSPACE: project.root,
    GITHUB_OUTPUT: output,
    GITHUB_ACTIONS: "true",
    RUNNER_TEMP: temp,
  };
  const { status, stdout, stderr } = spawnSync("unshare", ["-m", "sh", "-ec", mount], { env });
  const printed = `${stdout}${stderr}`;
  expect(status, printed).toBe(14);
  expect(parseCommandFile(readFileSync(output, "utf8"))).toMatchObject({
    status: "failed",
    "stop-reason": "git",
    "exit-code": "14",
  });
  const commands = printed.split("\n").flatMap((line) => parseLogCommand(line) ?? []);
  expect(commands.map(({ name }) => name)).toEqual(["error"]);
  expect(commands[0]?.message).toMatch(/git update-ref failed/);
  expect(printed).not.toMatch(/CALLED|\n\s+at /);
});
