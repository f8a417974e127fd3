import { expect, test } from "vitest";
import { patternsOf } from "../../../src/session/loop/prompt-of.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const oneTask = [task("T-001")];

test("why the gate failed reaches the next implementation, not what was said before it", async () => {
  const whole = `test ! -e src/T-001.txt || grep -q "attempt 2" src/T-001.txt || {
    echo "src/T-001.txt:1: too short"; exit 1; }`;
  await using project = await createProject({ tasks: oneTask, gates: { whole } });
  const { exitCode, prompts } = await project.run();
  expect(exitCode).toBe(0);
  const [first, second] = prompts("implementation");
  expect(first).not.toContain("The last attempt did not pass");
  expect(second).toContain('Gate "whole" failed.');
  expect(second).toContain("src/T-001.txt:1: too short");
});

test("why the reviewer rejected reaches the next implementation", async () => {
  const review = `if [ "$attempt" = 1 ]; then
    printf '<review-rejected session="%s">\\n- src: the colour is wrong\\n</review-rejected>' "$token"
    else honest; fi`;
  await using project = await createProject({ tasks: oneTask, agent: { review } });
  const { prompts } = await project.run();
  expect(prompts("implementation")[1]).toContain("- src: the colour is wrong");
});

test("a missing signal is reported with the expected tag", async () => {
  const implementation = `if [ "$attempt" = 1 ]; then work; else honest; fi`;
  await using project = await createProject({ tasks: oneTask, agent: { implementation } });
  const { prompts } = await project.run();
  expect(prompts("implementation")[1]).toContain("held no <task-done> tag");
});

test("the reviewer sees the diff, the proofs and the claim", async () => {
  const acceptanceCriteria = ["Run `test -s src/T-001.txt` exits with 0", "It reads well"];
  await using project = await createProject({ tasks: [task("T-001", { acceptanceCriteria })] });
  const [prompt = ""] = (await project.run()).prompts("review");
  expect(prompt).toContain("+++ b/src/T-001.txt");
  expect(prompt).toContain("+attempt 1");
  expect(prompt).toContain("- gate check: passed");
  expect(prompt).toContain("criterion 1, Run `test -s src/T-001.txt` exits with 0: proved");
  expect(prompt).toContain("criterion 2, It reads well: for you to judge");
  expect(prompt).toContain("- implementation of T-001");
});

test("the stored prompt shows everything but the token", async () => {
  await using project = await createProject({ tasks: oneTask });
  const { prompts } = await project.run();
  const token = JSON.parse(project.read(".ralph-session/session.json")).session_token;
  for (const prompt of ["implementation", "test_writing", "review"].flatMap(prompts)) {
    expect(prompt).toContain("The session token is:\n");
    expect(prompt).not.toContain(token);
  }
});

thorough("a prompt does not grow with the list: task 200 learns as much as task 5", async () => {
  const tasks = Array.from({ length: 200 }, (_, index) => {
    const id = `T-${String(index + 1).padStart(3, "0")}`;
    return task(id, { passes: index !== 4 && index !== 199 });
  });
  await using project = await createProject({ tasks });
  const { exitCode, prompts } = await project.run();
  expect(exitCode).toBe(0);
  const [fifth = "", last = ""] = prompts("implementation");
  expect(last).toContain("199 of 200 tasks have passed");
  expect(last.length).toBeLessThan(fifth.length + 200);
});

test("the repository's instructions and patterns are shown as data", async () => {
  const files = {
    "AGENTS.md": "# Agents\nUse tabs.\n",
    ".ralph/progress.txt": "## Codebase Patterns\n- One file a task\n---\n## Log\n- old entry\n",
  };
  await using project = await createProject({ tasks: oneTask, files });
  const [prompt = ""] = (await project.run()).prompts("implementation");
  expect(prompt).toMatch(/\[data [0-9a-f]{16} AGENTS\.md\]\n# Agents\nUse tabs\./);
  expect(prompt).toContain("- One file a task");
  expect(prompt).not.toContain("old entry");
});

test.for([
  ["", ""],
  ["# Log\n", ""],
  ["## Codebase Patterns\n- a\n- b\n", "- a\n- b"],
  ["# Log\n## Codebase Patterns\n- a\n---\nrest\n", "- a"],
  ["## Codebase Patterns\n- a\n## T-001\nrest\n", "- a"],
])("the patterns of %j are %j", ([text = "", patterns]) => {
  expect(patternsOf(text)).toBe(patterns);
});
