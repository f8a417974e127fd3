import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

/** What an implementation tries; each that works leaves a file of its name in `done`. */
const attacks: Record<string, string> = {
  "changes-the-project": 'touch "$PROJECT/planted"',
  "makes-a-branch": "git update-ref refs/heads/stolen HEAD",
  "changes-its-index": "git add -A",
  "moves-its-link": "mv .git .gone && mv .gone .git",
  "sees-another-worker": 'test "$(ls "$PWD/../.." | wc -l)" -gt 1',
  "reads-the-private-directory": "ls ../git/index",
  "sees-the-store": 'ls "$STATE"/*/sessions/*/journal.jsonl',
};
/** What it should be able to do. */
const rights: Record<string, string> = {
  "reads-git": 'test "$(git status --porcelain done)" = "?? done/" && git log -1',
  "knows-its-files": 'test "$(git ls-files | grep -c .ralph)" -gt 0',
  "reads-the-project": 'cat "$PROJECT/.ralph/prd.json"',
};

const script = Object.entries({ ...attacks, ...rights })
  .map(([name, act]) => `if { ${act}; } >/dev/null 2>&1; then echo x >"done/$task-${name}"; fi`)
  .join("\n");

async function tryAll(mode: "required" | "off"): Promise<string[]> {
  const tasks = ["T-001", "T-002"].map((id) => task(id, { priority: 1 }));
  const implementation = `mkdir -p done; touch "done/$task"\n${script}\nhonest`;
  await using project = await createProject({
    tasks,
    agent: { implementation },
    agents: { env: ["PROJECT", "STATE"] },
    sandbox: { mode },
  });
  const env = { ...project.system.env, PROJECT: project.root, STATE: project.stateDir };
  Object.assign(project.system, { env });
  const { exitCode } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  return readdirSync(join(project.root, "done"));
}

const named = (names: readonly string[]) =>
  ["T-001", "T-002"].flatMap((id) => [id, ...names.map((name) => `${id}-${name}`)]).sort();

describe.skipIf(!hasBubblewrap)("in the sandbox", () => {
  test("a worker reads git and the project, and reaches neither others nor what they share", async () => {
    expect((await tryAll("required")).sort()).toEqual(named(Object.keys(rights)));
  });

  test("which is the work of the sandbox: without it every attack succeeds", async () => {
    const done = await tryAll("off");
    for (const name of Object.keys(attacks)) expect(done.join()).toContain(name);
  });
});
