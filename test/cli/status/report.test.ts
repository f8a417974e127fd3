import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, sessionFolders } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };

test("the report of the last session is Markdown on stdout", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  const { exitCode, stdout, stderr } = await project.ralph("report", "--markdown");
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^# Session \d{8}-\d{6}-\w+: completed\n/);
  expect((await project.ralph("report", "--session", state.session.session_id)).stdout).toBe(
    stdout,
  );
  expect(JSON.parse((await project.ralph("report", "--json")).stdout)).toMatchObject({
    status: "completed",
    tasks_completed: 1,
  });
});

test("without a session it says what to do", async () => {
  await using project = await createProject(one);
  expect(await project.ralph("report")).toMatchObject({
    exitCode: 2,
    stderr: "Error: This project has no session yet.\nStart one with `ralph run`.\n",
  });
});

test("as a page: to a file, to stdout, and over an older page only", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  const id = state.session.session_id;
  const written = await project.ralph("report", "--html", "report.html");
  expect(written).toEqual({
    exitCode: 0,
    stdout: `report.html holds the report of session ${id}.\n`,
    stderr: "",
  });
  const page = project.read("report.html");
  expect(page).toContain("completed: 1 of 1 task passed");
  expect((await project.ralph("report", "--html", "-")).stdout).toBe(page);
  expect((await project.ralph("report", "--html", "report.html")).exitCode).toBe(0);
  project.write("README.md", "# Mine\n");
  const refused = await project.ralph("report", "--html", "README.md");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("README.md exists and is not such a file.");
  expect(project.read("README.md")).toBe("# Mine\n");
  expect((await project.ralph("report", "--html", "nowhere/x.html")).exitCode).toBe(1);
});

test("--json holds the path of the page, or its text", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  const { session_id } = state.session;
  const toFile = await project.ralph("report", "--json", "--html", "x.html");
  expect(JSON.parse(toFile.stdout)).toEqual({ file: "x.html", session_id });
  const toStdout = await project.ralph("report", "--json", "--html", "-");
  expect(JSON.parse(toStdout.stdout)).toMatchObject({
    file: null,
    text: expect.stringMatching(/^<!doctype html>/),
  });
});

test("a bundle is reported from any folder, even outside of a repository", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  const [bundle = ""] = sessionFolders(project.stateDir);
  const { stdout } = await project.ralph("report", bundle);
  expect(stdout).toContain(`# Session ${state.session.session_id}: completed`);
  const there = await project.ralph("report", "--html", "-", state.session.session_id);
  rmSync(join(project.root, ".git"), { recursive: true });
  expect(await project.ralph("report", bundle, "--html", "-")).toEqual(there);
  expect((await project.ralph("report", "no-such-folder")).exitCode).not.toBe(0);
});

test("the page names the journal's end", async () => {
  await using project = await createProject({
    tasks: [task("T-001"), task("T-002")],
    gates: { check: "test ! -e broken" },
    agent: { implementation: "[ $task = T-002 ] && touch broken; echo $task >> work.txt; claim" },
  });
  await project.run();
  const page = (await project.ralph("report", "--html", "-")).stdout;
  const { journal } = JSON.parse((await project.ralph("audit", "--json")).stdout);
  expect(page).toContain(`<code><bdi>${journal}</bdi></code>`);
});

test.each([
  [["--html", ""], "--html needs a file name."],
  [["--html", "x.html", "--markdown"], "exclude each other"],
])("%j: exit 1", async (options, says) => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph("report", ...options);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(says);
});
