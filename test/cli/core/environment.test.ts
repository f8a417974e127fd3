import { existsSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createOutput } from "../../../src/cli/core/output.ts";
import { locateSessionDir } from "../../../src/entry/locate-session-dir.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const terminal = {
  stdout: { write: () => {}, isTTY: true },
  stderr: { write: () => {}, isTTY: true },
};

test.each<[Environment, object, object]>([
  [{}, {}, { level: "normal", hasColour: true }],
  [{ RALPH_DEBUG: "1" }, {}, { level: "debug" }],
  [{ RALPH_DEBUG: "1" }, { quiet: true }, { level: "debug" }],
  [{ RALPH_DEBUG: "" }, { quiet: true }, { level: "quiet" }],
  [{ RALPH_NO_COLOR: "1" }, {}, { hasColour: false }],
  [{ RALPH_NO_COLOR: "" }, {}, { hasColour: true }],
  [{ NO_COLOR: "1" }, {}, { hasColour: false }],
  [{ NO_COLOR: "" }, {}, { hasColour: true }],
  [{}, { color: false }, { hasColour: false }],
])("with %j and %j the output is %j", (env, options, expected) => {
  expect(createOutput(options, env, terminal)).toMatchObject(expected);
});

test.each<[string | undefined, string | undefined, string]>([
  ["flag", "env", "/root/flag"],
  [undefined, "env", "/root/env"],
  [undefined, "/elsewhere", "/elsewhere"],
  [undefined, "../beside", "/beside"],
  ["build/ralph/", undefined, "/root/build/ralph"],
  [undefined, "", "/root/.ralph-session"],
  [undefined, undefined, "/root/.ralph-session"],
])("--session-dir %j and RALPH_SESSION_DIR %j mean %s", (option, RALPH_SESSION_DIR, path) => {
  expect(locateSessionDir({ option, env: { RALPH_SESSION_DIR } }, "/root")).toBe(path);
});

describe("a session", () => {
  test("is only planned with RALPH_DRY_RUN=1", async () => {
    await using project = await createProject({
      tasks: [task("T-001")],
      env: { RALPH_DRY_RUN: "1" },
    });
    const { exitCode, stdout } = await project.ralph("run");
    expect(stdout).toContain("T-001");
    expect(exitCode).toBe(0);
    expect(project.git("symbolic-ref", "--short", "HEAD")).toBe("main");
  });

  test("goes where RALPH_SESSION_DIR says; an empty RALPH_DRY_RUN is unset", async () => {
    await using outside = await mkdtempDisposable(join(tmpdir(), "ralph-environment-"));
    const folder = join(outside.path, "seen");
    await using project = await createProject({
      tasks: [task("T-001")],
      env: { RALPH_SESSION_DIR: folder, RALPH_DRY_RUN: "" },
    });
    expect((await project.run()).exitCode).toBe(0);
    const { stdout } = await project.ralph("validate");
    expect(stdout).toContain(`${folder}: a valid session without signs of tampering`);
    expect(existsSync(join(project.root, ".ralph-session"))).toBe(false);
  });
});
