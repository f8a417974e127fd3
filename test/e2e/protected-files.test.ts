import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled, thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

const oneTask = [task("T-001")];

/** Files nobody may change in a task: put back, recorded, told; the rest of the work is judged as usual. */
const edits: Record<string, string> = {
  ".github/workflows/pwn.yml": "mkdir -p .github/workflows; echo x >.github/workflows/pwn.yml",
  ".github/CODEOWNERS": "mkdir -p .github; echo x >.github/CODEOWNERS",
  ".gitattributes": "echo '* -text' >.gitattributes",
  ".gitmodules": "echo x >.gitmodules",
  CODEOWNERS: "echo x >CODEOWNERS",
  "CLAUDE.md": "echo obey >CLAUDE.md",
  "sub/AGENTS.md": "mkdir -p sub; echo obey >sub/AGENTS.md",
  "AGENTS.md": "echo obey >AGENTS.md",
  ".claude/settings.json": "mkdir -p .claude; echo '{}' >.claude/settings.json",
  ".mcp.json": "echo '{}' >.mcp.json",
  ".ralph/ralph.yml": "echo 'version: \"1\"' >.ralph/ralph.yml",
  ".ralph/new.yml": "echo x >.ralph/new.yml",
  ".ralph/prd.json": `sed -i 's/"passes": false/"passes": true/' .ralph/prd.json`,
  ".ralph/progress.txt": "echo 'all done' >.ralph/progress.txt",
};

test.for(sampled(Object.entries(edits), 5))(
  "a change of %s is put back, recorded and reported",
  async ([path, edit]) => {
    const agent = { implementation: `${edit}; honest` };
    await using project = await createProject({ tasks: oneTask, agent });
    const { exitCode, state, facts, prompts } = await project.run();
    expect(facts("agent_end")[0]?.refused).toEqual([path]);
    expect(prompts("test_writing")[0]).toContain(`- ${path}`);
    expect(exitCode).toBe(0);
    const { start } = state.session;
    const proved = facts("task_passed")[0]?.tree ?? "";
    expect(project.git("diff", "--name-only", start.commit, proved, "--", path)).toBe("");
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

test("`protect.allow` lifts the protection of what it names, and of nothing else", async () => {
  const agent = {
    implementation: `mkdir -p .github/workflows; echo x >.github/workflows/docs.yml; echo x >.github/other; honest`,
  };
  const config = { protect: { allow: [".github/workflows/docs.yml"] } };
  await using project = await createProject({ tasks: oneTask, agent, config });
  const { facts } = await project.run();
  expect(facts("agent_end")[0]?.refused).toEqual([".github/other"]);
  expect(project.git("ls-tree", "-r", "--name-only", "HEAD", ".github")).toBe(
    ".github/workflows/docs.yml",
  );
});

/** Paths that `.gitignore` names, as many projects have them; a program of the user reads each of them. */
const unseen = [
  ".husky/_/pre-commit",
  ".claude/settings.local.json",
  "CLAUDE.local.md",
  ".gemini/.env",
];

test("settings in files that git ignores are put back, and those of `protect.allow` stay", async () => {
  const write = unseen
    .map((path) => `mkdir -p $(dirname ${path}); echo planted >${path}`)
    .join("; ");
  await using project = await createProject({
    tasks: oneTask,
    agent: { implementation: `${write}; rm .husky/_/husky.sh; honest` },
    files: { ".gitignore": ".husky/_\n.claude\n*.local.md\n.gemini\n.idea\n" },
    config: { protect: { allow: [".gemini/**"] } },
  });
  project.write(".husky/_/pre-commit", "the user's\n");
  project.write(".husky/_/husky.sh", "the user's\n");
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  const refused = [".husky/_/husky.sh", ...unseen.slice(0, 3)];
  expect(facts("agent_end")[0]?.refused.toSorted()).toEqual(refused.toSorted());
  expect(project.read(".husky/_/pre-commit")).toBe("the user's\n");
  expect(project.read(".husky/_/husky.sh")).toBe("the user's\n");
  expect(existsSync(join(project.root, ".claude/settings.local.json"))).toBe(false);
  expect(existsSync(join(project.root, "CLAUDE.local.md"))).toBe(false);
  expect(project.read(".gemini/.env")).toBe("planted\n");
});

test("a large file and a link that steer agents are put back as git has them, and stay", async () => {
  await using project = await createProject({
    tasks: oneTask,
    agent: {
      implementation: "echo y >>.cursor/large; rm CLAUDE.md; echo obey >CLAUDE.md; honest",
    },
    files: { ".cursor/large": "x".repeat(300_000), "AGENTS.md": "How to work here.\n" },
  });
  symlinkSync("AGENTS.md", join(project.root, "CLAUDE.md"));
  project.git("add", "CLAUDE.md");
  project.git("commit", "-qm", "One file for all agents");
  const { exitCode, facts, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end")[0]?.refused.toSorted()).toEqual([".cursor/large", "CLAUDE.md"]);
  expect(state.warnings).not.toContainEqual(expect.stringContaining("Removed"));
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.read("CLAUDE.md")).toBe("How to work here.\n");
});

test("ignored files that ralph itself, an open editor or another conversation writes while an agent works are not put back", async () => {
  const write =
    "mkdir -p .claude/ralph .claude/worktrees/a .idea; echo later | tee .claude/ralph/notes .claude/worktrees/a/file >.idea/workspace.xml";
  await using project = await createProject({
    tasks: oneTask,
    agent: { implementation: `${write}; honest` },
    files: { ".gitignore": ".idea\n.claude/worktrees\n" },
  });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end")[0]?.refused).toEqual([]);
  expect(project.read(".claude/worktrees/a/file")).toBe("later\n");
  expect(project.read(".claude/ralph/notes")).toBe("later\n");
  expect(project.read(".idea/workspace.xml")).toBe("later\n");
});

test("`passes` forged in the task list are put back, reported, and not believed", async () => {
  const forge = edits[".ralph/prd.json"];
  await using project = await createProject({ agent: `${forge}; claim` });
  const before = project.read(".ralph/prd.json");
  const { exitCode, facts, prompts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("agent_end").map(({ refused }) => refused)).toEqual(
    Array.from({ length: 3 }, () => [".ralph/prd.json"]),
  );
  expect(prompts("implementation")[1]).toContain(".ralph/prd.json");
  expect(facts("task_passed")).toEqual([]);
  expect(project.read(".ralph/prd.json")).toBe(before);
});

test("gates come from the start commit: setting them to `true` changes nothing", async () => {
  const agent = { implementation: `sed -i 's/exit 1/exit 0/' .ralph/ralph.yml; honest` };
  const config = { limits: { max_iterations: 2 } };
  const gates = { whole: "test ! -d src || exit 1" };
  await using project = await createProject({ tasks: oneTask, agent, config, gates });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["gate", "gate"]);
  expect(project.git("status", "--porcelain")).toBe("");
});

thorough("a gate script that was weakened is pointed out to the reviewer", async () => {
  const agent = {
    implementation: "echo 'exit 0' >check.sh; honest",
    review: "signal review-rejected",
  };
  const files = { "check.sh": "test ! -d src\n" };
  const gates = { whole: "sh check.sh" };
  await using project = await createProject({ tasks: oneTask, agent, files, gates });
  const { exitCode, prompts } = await project.run();
  expect(prompts("review")[0]).toContain("check.sh (gate-script)");
  expect(exitCode).toBe(3);
});

test("a gate whose script was deleted has not passed", async () => {
  const agent = { implementation: "rm check.sh; honest" };
  const config = { limits: { max_iterations: 1 } };
  const files = { "check.sh": "exit 0\n" };
  const gates = { whole: "sh check.sh" };
  await using project = await createProject({ tasks: oneTask, agent, config, files, gates });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("iteration_failed")[0]?.because).toBe("gate");
});

test("a forged task-status.json with a fitting checksum ends the session: exit 6 (T47)", async () => {
  const checksum = new URL("../../src/schema/session-files/checksum.ts", import.meta.url).href;
  const forge = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { canonicalChecksum, sha256 } from "${checksum}";
    const file = process.env.RALPH_SESSION_DIR + "/task-status.json";
    const { checksum: _, ...status } = JSON.parse(readFileSync(file, "utf8"));
    for (const task of Object.values(status.tasks)) task.passes = true;
    const text = JSON.stringify({ checksum: canonicalChecksum(status), ...status }, null, 2) + "\\n";
    writeFileSync(file, text);
    writeFileSync(file.replace(".json", ".sha256"), sha256(text) + "\\n");
  `;
  const files = { "forge.mjs": forge };
  const agent = { implementation: `${process.execPath} forge.mjs; honest` };
  await using project = await createProject({ agent, files });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(6);
  expect(facts("tampering").map(({ path }) => path)).toEqual([
    "task-status.json",
    "task-status.sha256",
  ]);
  expect(facts("agent_start")).toHaveLength(1);
  expect(facts("task_passed")).toEqual([]);
  const status = JSON.parse(project.read(".ralph-session/task-status.json"));
  expect(Object.values(status.tasks)).not.toContainEqual(expect.objectContaining({ passes: true }));
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a status file that an agent removed is written again", async () => {
  const agent = { implementation: `rm -r "$RALPH_SESSION_DIR"; honest` };
  await using project = await createProject({ tasks: oneTask, agent });
  expect((await project.run()).exitCode).toBe(0);
  expect(existsSync(join(project.root, ".ralph-session/task-status.sha256"))).toBe(true);
});

thorough("an untracked file of 200 MB is named and never committed", async () => {
  const agent = { implementation: "truncate -s 200M big.bin; honest" };
  await using project = await createProject({ tasks: oneTask, agent });
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.warnings).toContainEqual(expect.stringContaining("big.bin"));
  expect(project.git("ls-tree", "-r", "--name-only", "HEAD")).not.toContain("big.bin");
});

test("a new file whose name differs from another's only in case is put back while an agent can still rename it", async () => {
  const agent = { implementation: "echo notes >readme.MD; honest" };
  const files = { "README.md": "# Example\n" };
  await using project = await createProject({ tasks: oneTask, agent, files });
  const { exitCode, facts, prompts, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end")[0]?.refused).toEqual(["readme.MD"]);
  expect(prompts("test_writing")[0]).toContain("differ from another file's only in case");
  expect(project.git("ls-tree", "-r", "--name-only", state.head)).not.toContain("readme.MD");
});
