import { expect, test } from "vitest";
import { sampled } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../support/project/project.ts";

/** What a test writer does on its first call, and the path that is put back. The second call is honest. */
interface Trespass {
  script: string;
  path: string;
  /** What stands in the commit of the task there; undefined: nothing. */
  committed: string | undefined;
}

const files = {
  "src/old.txt": "old\n",
  "tests/old.test.txt": "old test\n",
  ".gitignore": "*.log\n",
};

const trespasses: Record<string, Trespass> = {
  "edits production code that the task has just changed": {
    script: "echo evil >>src/T-001.txt",
    path: "src/T-001.txt",
    committed: "attempt 1\nattempt 2",
  },
  "stages its edit of production code": {
    script: "echo evil >src/old.txt; git add src/old.txt",
    path: "src/old.txt",
    committed: "old",
  },
  "commits its edit of production code": {
    script: "echo evil >src/old.txt; git commit -qam evil",
    path: "src/old.txt",
    committed: "old",
  },
  "adds production code": {
    script: "echo evil >src/new.txt",
    path: "src/new.txt",
    committed: undefined,
  },
  "adds production code behind an ignore file": {
    script: "echo 'src/new.txt' >.gitignore; echo evil >src/new.txt",
    path: "src/new.txt",
    committed: undefined,
  },
  "deletes production code": {
    script: "rm src/old.txt",
    path: "src/old.txt",
    committed: "old",
  },
  "writes a file whose name only begins like a test folder": {
    script: "echo evil >tests-evil.js",
    path: "tests-evil.js",
    committed: undefined,
  },
  "plants a link among the tests": {
    script: "mkdir -p tests && ln -s ../src/old.txt tests/link.test.txt",
    path: "tests/link.test.txt",
    committed: undefined,
  },
  "writes through a link among the tests": {
    script: "mkdir -p tests && ln -s ../src tests/src && echo evil >tests/src/old.txt",
    path: "src/old.txt",
    committed: "old",
  },
  "documents instead of testing": {
    script: "mkdir -p tests && echo words >tests/README.md",
    path: "tests/README.md",
    committed: undefined,
  },
};

const options = (script: string): ProjectOptions => ({
  tasks: [task("T-001")],
  files,
  agent: { test_writing: `if [ "$attempt" = 1 ]; then ${script}; fi; honest` },
});

test.for(sampled(Object.entries(trespasses), 5))(
  "a test writer that %s is put back and reported",
  async (row) => {
    const [, { script, path, committed }] = row;
    await using project = await createProject(options(script));
    const { exitCode, facts, prompts } = await project.run();
    const [first] = facts("agent_end").filter(({ role }) => role === "test_writing");
    expect(first?.trespassed).toContain(path);
    expect(facts("iteration_failed")).toMatchObject([{ because: "guardrail" }]);
    expect(prompts("implementation")[1]).toContain(path);
    expect(exitCode).toBe(0);
    expect(project.git("ls-tree", "-r", "--name-only", "HEAD", path)).toBe(committed ? path : "");
    if (committed) expect(project.git("show", `HEAD:${path}`)).toBe(committed);
    expect(project.commits()).toHaveLength(1);
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

test.for([
  ["adds a test", "mkdir -p tests && echo x >tests/new.test.txt"],
  ["adds a test beside the code", "echo x >src/new.test.txt"],
  ["changes a test", "echo more >>tests/old.test.txt"],
  ["writes an ignored file", "echo x >debug.log"],
])("a test writer that %s is not put back", async ([, script = ""]) => {
  await using project = await createProject(options(script));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
});

test("ignored files that a test writer or a reviewer touched are reported", async () => {
  const agent = { test_writing: "echo x >tests.log; honest", review: "echo x >review.log; honest" };
  await using project = await createProject({ tasks: [task("T-001")], files, agent });
  const { facts } = await project.run();
  const ignored = facts("agent_end").map((call) => [call.role, call.ignored]);
  expect(ignored).toEqual([
    ["implementation", []],
    ["test_writing", ["tests.log"]],
    ["review", ["review.log"]],
  ]);
});

test("what a reviewer changes is put back, and its verdict still counts", async () => {
  const agent = { review: "echo better >>src/T-001.txt; echo x >src/new.txt; honest" };
  await using project = await createProject({ tasks: [task("T-001")], agent });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end").at(-1)?.refused).toEqual(["src/T-001.txt", "src/new.txt"]);
  expect(project.git("show", "HEAD:src/T-001.txt")).toBe("attempt 1");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("an existing test that was weakened is pointed out to the reviewer", async () => {
  await using project = await createProject(options("echo skip >tests/old.test.txt"));
  const { prompts } = await project.run();
  expect(prompts("review")[0]).toContain("tests/old.test.txt (old-test)");
});
