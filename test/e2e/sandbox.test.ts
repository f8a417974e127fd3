import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { createTestFolder } from "../support/project/system.ts";

const oneTask = [task("T-001")];

/** What an implementation tries, by the name of the file it leaves in `done` when that has worked. */
const attacks: Record<string, string> = {
  "makes-a-branch": "git update-ref refs/heads/stolen HEAD",
  "plants-a-hook": "echo x >.git/hooks/pre-commit",
  "changes-the-configuration-of-git": "git config core.pager evil",
  "moves-git-away": "mv .git .gone && mv .gone .git",
  "reads-the-journal": "cat $STATE/*/sessions/*/journal.jsonl",
  "changes-the-store": "touch $STATE/planted && test -d $STATE/*/sessions",
  "sees-the-orchestrator": "grep -q . /proc/$ORCHESTRATOR/environ",
  "signals-the-orchestrator": "kill -0 $ORCHESTRATOR",
};

const tryAll = Object.entries(attacks)
  .map(([name, script]) => `if { ${script}; } >/dev/null 2>&1; then echo x >done/${name}; fi`)
  .join("\n");

async function runAttacks(mode: "required" | "off"): Promise<string[]> {
  const implementation = `STATE=$(cat state) ORCHESTRATOR=$(cat pid)\nmkdir -p done\n${tryAll}\nhonest`;
  const options = { tasks: oneTask, agent: { implementation }, sandbox: { mode } };
  await using project = await createProject(options);
  project.write("state", project.stateDir);
  project.write("pid", String(process.pid));
  project.git("add", "-A");
  project.git("commit", "-qm", "facts");
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  return readdirSync(join(project.root, "done"));
}

describe.skipIf(!hasBubblewrap)("in the sandbox", () => {
  test("a whole list passes", async () => {
    await using project = await createProject({ sandbox: { mode: "required" } });
    const { exitCode, state } = await project.run();
    expect(exitCode).toBe(0);
    expect(state.session.sandbox).toBe("bubblewrap");
    expect(project.commits()).toHaveLength(4);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  test("an agent reaches neither git nor our store nor our process", async () => {
    expect(await runAttacks("required")).toEqual([]);
  });

  test("which is the work of the sandbox: without it every attack succeeds", async () => {
    expect(await runAttacks("off")).toEqual(Object.keys(attacks).sort());
  });

  test("gates are in it too", async () => {
    const gates = { closed: "! touch .git/planted 2>/dev/null" };
    const options = { tasks: oneTask, gates, sandbox: { mode: "required" } };
    await using project = await createProject(options);
    expect((await project.run()).exitCode).toBe(0);
  });
});

/** All programs of the folders a run needs, but no bubblewrap. */
async function createPathWithoutBubblewrap() {
  const folder = await createTestFolder();
  const folders = (process.env.PATH ?? "").split(":");
  const folderOf = (program: string) => folders.find((each) => existsSync(join(each, program)));
  for (const source of new Set(["git", "sh", "flock"].map(folderOf))) {
    if (source === undefined) continue;
    const programs = readdirSync(source).filter((name) => name !== "bwrap");
    for (const name of programs) symlinkSync(join(source, name), join(folder.path, name));
  }
  return folder;
}

test("without bubblewrap `required` stops before anything is spent: exit 1", async () => {
  await using path = await createPathWithoutBubblewrap();
  const options = { env: { PATH: path.path }, sandbox: { mode: "required" } };
  await using project = await createProject({ ...options, tasks: oneTask });
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("bubblewrap (`bwrap`) is not installed");
});

test("without bubblewrap `auto` continues, and says what does not hold", async () => {
  await using path = await createPathWithoutBubblewrap();
  const options = { env: { PATH: path.path }, sandbox: { mode: "auto" } };
  await using project = await createProject({ ...options, tasks: oneTask });
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.session.sandbox).toBe("off");
  expect(state.warnings).toContainEqual(expect.stringContaining("No sandbox"));
});

test.for([
  [
    "the kernel forbids user namespaces",
    "No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces.",
    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
  [
    "Ubuntu's AppArmor forbids a network of its own",
    "loopback: Failed RTM_NEWADDR: Operation not permitted",
    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
  [
    "it is inside a container without rights",
    "Can't mount proc on /newroot/proc: Operation not permitted",
    "--security-opt systempaths=unconfined",
  ],
  [
    "the machine's user namespaces are used up",
    "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
    "sysctl -w user.max_user_namespaces=",
  ],
  ["bubblewrap is old", "Unknown option --ro-bind-try", "Install bubblewrap 0.4.1 or newer"],
])(
  "where %s, one sentence says what is missing and one how to get it: exit 1",
  async ([, says = "", remedy = ""]) => {
    await using path = await createPathWithoutBubblewrap();
    writeFileSync(join(path.path, "bwrap"), `#!/bin/sh\necho "bwrap: ${says}" >&2\nexit 1\n`, {
      mode: 0o755,
    });
    const options = { env: { PATH: path.path }, sandbox: { mode: "required" } };
    await using project = await createProject({ ...options, tasks: oneTask });
    const { exitCode, stderr } = await project.ralph("run");
    expect(exitCode).toBe(1);
    const lines = stderr.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(
      `This run needs the sandbox, but bubblewrap cannot start here: bwrap: ${says}`,
    );
    expect(lines[1]).toContain(remedy);
  },
);
