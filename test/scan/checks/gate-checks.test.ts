import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gates } from "../../../src/scan/checks/gates.ts";
import { tools } from "../../../src/scan/checks/tools.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { runCheck } from "./run-check.ts";

const one = { tasks: [task("T-001")] };
const project = (full: object[], more: object = {}) =>
  createProject({ ...one, config: { gates: { full }, ...more } });

test("gates run on the current commit, elsewhere, and leave nothing behind", async () => {
  const cmd = "test -e a.txt && ! test -e new.txt && echo x >a.txt && pwd >left";
  await using place = await project([{ name: "test", cmd }]);
  place.write("new.txt", "not committed");
  const found = await runCheck(place, gates);
  expect(found).toMatchObject({ status: "pass" });
  expect(found.message).toMatch(
    /^1 gate: 1 passed, 0 skipped, 0 red\n {2}test: passed, [\d.]+ m?s$/,
  );
  expect(place.git("status", "--porcelain")).toBe("?? new.txt");
  const [store = ""] = readdirSync(place.stateDir);
  expect(readdirSync(join(place.stateDir, store))).toEqual([]);
});

test("skipped gates are shown with the reason", async () => {
  await using place = await project([
    { name: "test", cmd: "true" },
    { name: "e2e", cmd: "false", when: "e2e/" },
  ]);
  const { status, message } = await runCheck(place, gates);
  expect(status).toBe("pass");
  expect(message).toContain("e2e: skipped: nothing matches e2e/");
});

test.each<[string, object[], string, RegExp]>([
  ["no gate at all", [], "warning", /There is no gate:/],
  ["a red gate", [{ name: "test", cmd: "echo boom; exit 1" }], "error", /test: failed, .*: boom/],
  [
    "a red gate that names its failure",
    [{ name: "test", cmd: "echo 'not ok 1 - old'; exit 1" }],
    "warning",
    /test: failed, .*: not ok 1 - old/,
  ],
  [
    "a red gate that the tasks repair",
    [{ name: "test", cmd: "exit 1", baseline: "repair" }],
    "warning",
    /test: failed/,
  ],
  ["a gate that cannot start", [{ name: "test", cmd: "no-such-tool" }], "error", /not started/],
  [
    "a gate that only warns and cannot start",
    [
      { name: "test", cmd: "true" },
      { name: "fmt", cmd: "no-such-tool", fatal: false },
    ],
    "warning",
    /fmt: not started/,
  ],
  [
    "every fatal gate skipped",
    [
      { name: "test", cmd: "true", when: "package.json" },
      { name: "fmt", cmd: "true", fatal: false },
    ],
    "warning",
    /No fatal gate runs/,
  ],
])("%s is reported", async (_, full, status, says) => {
  await using place = await project(full);
  const found = await runCheck(place, gates);
  expect(found).toMatchObject({ status, message: expect.stringMatching(says) });
  expect(found.remedy).toBeTruthy();
});

test("for a red gate the line with the failure is shown", async () => {
  const cmd = "echo 'AssertionError: 1 is not 2'; echo; echo 'Done in 2 s.'; exit 1";
  await using place = await project([{ name: "test", cmd }]);
  expect((await runCheck(place, gates)).message).toMatch(
    /test: failed, .*: AssertionError: 1 is not 2$/,
  );
});

test("a program that make cannot start is named, and installing it is the advice", async () => {
  await using place = await project([{ name: "lint", cmd: "make lint" }]);
  place.write("Makefile", "lint:\n\tno-such-tool --all\n");
  place.git("add", "-A");
  place.git("commit", "-qm", "chore: add a Makefile");
  expect(await runCheck(place, gates)).toMatchObject({
    status: "error",
    message: expect.stringMatching(/lint: failed, .*no-such-tool/),
    remedy: "Install the missing program, or fix the command.",
  });
});

test("a gate that calls git may be red only in the checkout, and the message says so", async () => {
  await using place = await project([{ name: "diff", cmd: "git status" }]);
  const { status, message } = await runCheck(place, gates);
  expect(status).toBe("warning");
  expect(message).toContain("\n    It calls git, and this folder is not a repository");
});

test("setup steps run first, once; a red one is an error and no gate runs", async () => {
  const full = [
    { name: "one", cmd: "test -e installed" },
    { name: "two", cmd: "test -e installed" },
  ];
  const install = { name: "install", cmd: "! test -e installed && touch installed" };
  await using place = await project(full, { setup: [install] });
  expect(await runCheck(place, gates)).toMatchObject({ status: "pass" });
  await using broken = await project(full, { setup: [{ ...install, cmd: "exit 3" }] });
  const { status, message } = await runCheck(broken, gates);
  expect(status).toBe("error");
  expect(message).toContain("setup install: failed");
  expect(message).not.toContain("one:");
});

test("tools of gates and setup steps are looked for", async () => {
  await using place = await project([{ name: "test", cmd: "git --version && sh -c true" }]);
  expect(await runCheck(place, tools)).toMatchObject({ status: "pass", message: "git, sh" });
});

test("a missing tool is an error, unless a setup step may bring it or the gate only warns", async () => {
  const gate = { name: "test", cmd: "no-such-tool --all" };
  await using alone = await project([gate]);
  expect(await runCheck(alone, tools)).toMatchObject({
    status: "error",
    message: "missing:\n  no-such-tool, for test",
    fixes: [{ install: "no-such-tool" }],
  });
  await using prepared = await project([gate], { setup: [{ name: "get", cmd: "true" }] });
  expect(await runCheck(prepared, tools)).toMatchObject({ status: "warning" });
  await using mild = await project([{ ...gate, fatal: false }]);
  expect(await runCheck(mild, tools)).toMatchObject({ status: "warning" });
});

test("a gate whose condition is not met needs no tool", async () => {
  await using place = await project([{ name: "py", cmd: "no-such-tool", when: "pyproject.toml" }]);
  expect(await runCheck(place, tools)).toMatchObject({ status: "pass" });
});
