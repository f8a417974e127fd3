import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

// Files that git never takes into a tree: they must make no gate green, and end no run.

const tasks = [task("T-001", { requiresTests: false })];

/** Git takes these names for its own folder on some file systems, so it adds nothing below them. */
test.each(["GIT~1", ".git.", ".GIT "])(
  "a gate does not see a file below `%s`, which no commit has; in the work tree it would",
  async (folder) => {
    const gate = `test ! -d src || test -e '${folder}/ok'`;
    await using project = await createProject({
      ...{ tasks, gates: { whole: gate } },
      agent: { implementation: `mkdir -p '${folder}'; echo ok >'${folder}/ok'; honest` },
      config: { limits: { max_iterations: 1 } },
    });
    const { exitCode, facts } = await project.run();
    expect(exitCode).toBe(3);
    expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["gate"]);
    expect(facts("task_passed")).toEqual([]);
    execFileSync("sh", ["-c", `mkdir -p src '${folder}'; touch '${folder}/ok'; ${gate}`], {
      cwd: project.root,
    });
  },
);

/** Each step is short; the whole is longer than any path that can be named. */
const deep = (levels: number, name: string) =>
  `(n=$(printf %060d 0); i=0; while [ $i -lt ${levels} ]; do mkdir -p $n && cd $n || exit; i=$((i+1)); done; echo x >${name})`;

test("a tree too deep to be named ends no run and is in no commit; one that can be named is in it", async () => {
  const implementation = `mkdir -p src/shallow src/deep; (cd src/shallow && ${deep(3, "near")}); (cd src/deep && ${deep(600, "far")}); honest`;
  await using project = await createProject({ tasks, agent: { implementation } });
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  const files = project.git("ls-tree", "-r", "--name-only", "HEAD");
  expect(files).toContain("/near");
  expect(files).not.toContain("/far");
});
