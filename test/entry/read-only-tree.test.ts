import { globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled, thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { activeFiles } from "../support/foreign/active-files.ts";
import { runCommand } from "../support/project/command.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createProject, type Project } from "../support/project/project.ts";

const names = ["omx", "omc", "claude-ralph", "agent-teams"];
const folders = [".omx", ".omc", ".claude"];

/** What other programs have left: finished loops without an id, and a plan. */
const theirs = {
  ".omx/state/ralph-state.json": `${JSON.stringify({ active: false, current_phase: "complete" })}\n`,
  ".omc/ralph-state.json": `${JSON.stringify({ active: false, prompt: "theirs" })}\n`,
  ".claude/settings.json": "{}\n",
};

const readOnly = (root: string, folder: string) =>
  `mount --bind ${root}/${folder} ${root}/${folder}; mount -o remount,ro,bind ${root}/${folder}`;

async function createTree(emit: readonly string[], implementation = "honest") {
  const project = await createProject({
    tasks: [task("T-001"), task("T-002")],
    config: { compat: { emit } },
    agent: { implementation },
  });
  for (const [path, text] of Object.entries(theirs)) project.write(path, text);
  project.git("add", "-f", ".claude/settings.json");
  project.git("commit", "-qm", "settings");
  project.write(".git/info/exclude", ".omx\n.omc\n.claude/ralph\n");
  return project;
}

/** Every file below the folders of other tools, with its bytes. */
function contents({ root }: Project): Record<string, string> {
  const paths = globSync(
    folders.map((folder) => `${folder}/**`),
    { cwd: root },
  ).filter((path) => lstatSync(join(root, path)).isFile());
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

const ralph = ({ root, system }: Project, args: string[], mounts: string) =>
  runCommand({ cwd: root, env: system.env, mounts }, args);

const describeMounted = describe.skipIf(!hasProgram("unshare", ["-m", "true"]));

describeMounted("a read-only folder of another tool", () => {
  test.each(sampled(folders, 1))(
    "refuses the run before anything is written for any tool: %s",
    async (folder) => {
      await using project = await createTree(names);
      const before = contents(project);
      const mounts = readOnly(project.root, folder);
      const { exitCode, stdout, stderr } = await ralph(project, ["run"], mounts);
      expect([exitCode, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /^Error: \.\w+\/.* could not be written: EROFS: .*\nMake the file system writable/,
      );
      expect(contents(project)).toEqual(before);
      expect((await ralph(project, ["status"], mounts)).stdout).toContain("No session");
    },
  );

  thorough.each(folders)(
    "is no obstacle to a run that writes nothing for its tool: %s",
    async (folder) => {
      await using project = await createTree([]);
      const before = contents(project);
      const { exitCode, stderr } = await ralph(project, ["run"], readOnly(project.root, folder));
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(contents(project)).toEqual(before);
    },
  );

  thorough(
    "becomes a warning when it is mounted during the run, and is settled when it is writable again",
    async () => {
      const mount = folders.map((folder) => readOnly(".", folder)).join("; ");
      await using project = await createTree(names, `[ $task = T-001 ] || { ${mount}; }; honest`);
      const ended = await ralph(project, ["run"], ":");
      expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
      for (const name of ["omx", "omc", "claude-ralph"])
        expect(ended.stdout).toContain(`The files of ${name} do not show the end of this session.`);
      expect(ended.stdout).toContain("EROFS: read-only file system");
      expect(activeFiles(project.root)).toHaveLength(2);
      const cancelled = await ralph(project, ["cancel"], ":");
      expect([cancelled.exitCode, cancelled.stderr]).toEqual([0, ""]);
      expect(activeFiles(project.root)).toEqual([]);
    },
  );

  thorough("that shows a session which died costs a later run or cancel a warning", async () => {
    const once = "[ -e ../killed ] || { touch ../killed; kill -9 $PPID; exit; }; honest";
    await using project = await createTree(names, once);
    expect((await ralph(project, ["run"], ":")).exitCode).toBe(-1);
    expect(activeFiles(project.root)).toHaveLength(2);
    const config = project.read(".ralph/ralph.yml");
    project.write(".ralph/ralph.yml", config.replace(/"emit": ?\[[^\]]*\]/, '"emit": []'));
    project.git("commit", "-qam", "writes for no tool");
    const before = contents(project);
    const mounts = folders.map((folder) => readOnly(project.root, folder)).join("; ");
    const remark = (name: string) =>
      new RegExp(`Warning: The files of ${name} still show an ended session. \\S+ could not be`);
    for (const command of ["run", "cancel"]) {
      const { exitCode, stdout, stderr } = await ralph(project, [command], mounts);
      expect(exitCode, stderr).toBe(0);
      for (const name of ["omx", "omc", "claude-ralph"])
        expect(stdout + stderr).toMatch(remark(name));
    }
    expect(contents(project)).toEqual(before);
  });
});
