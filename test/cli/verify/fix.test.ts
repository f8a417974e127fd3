import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

/** A project whose planner and fixer are the stand-in of the other roles. */
async function createFixProject(options: ProjectOptions) {
  const project = await createProject(options);
  const config = JSON.parse(project.read(".ralph/ralph.yml"));
  const { implementation: planning } = config.agents;
  const agents = { ...config.agents, planning, fix: planning };
  project.write(".ralph/ralph.yml", JSON.stringify({ ...config, agents }, null, 2));
  project.git("add", "-A");
  project.git("commit", "-qm", "agents");
  return project;
}

/** A gate that is green once `value` is 2, and a second one that watches over `other`. */
const twoGates = {
  files: { value: "1\n", other: "ok\n", "tests/a.test.txt": "a\n" },
  gates: { value: "grep -q 2 value", other: "grep -q ok other" },
};

test.runIf(chromium && runsAll)(
  "what a page lacks is planned and repaired, in the work tree",
  async () => {
    const page = webAppFiles()["index.html"] ?? "";
    const tests = [{ name: "loads", action: "open", expected: "Customers" }];
    await using project = await createFixProject({
      files: { ...webAppFiles(), "index.html": page.replaceAll("Users", "Clients") },
      config: { services: await webAppServices(), ui: { agent_browser: { enabled: true, tests } } },
      agent: {
        planning: 'printf "%s" "$prompt" >"$0.plan"; signal plan',
        fix: 'printf "%s" "$prompt" >"$0.fix"; sed -i s/Clients/Customers/ index.html; echo changed >tests.test.txt; signal fix-done',
      },
    });
    const { exitCode, stdout } = await project.ralph("verify", "--fix");
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain("· fix 1 of 10 for browser: plan, then repair");
    expect(stdout).toContain("reverted: tests.test.txt");
    expect(stdout).toContain("Verified: gates, services, browser. 1 repair in the work tree");
    expect(project.git("status", "--porcelain")).toBe("M index.html");
    const prompts = ["plan", "fix"].map((role) => project.read(`../bin/agent.${role}`));
    expect(prompts[0]).toContain('loads: nothing on the page matches "Customers"');
    expect(prompts[1]).toContain("# The plan");
    expect(readdirSync(`${project.root}/.ralph-session/artifacts/screenshots`)).toEqual([
      "001-loads.png",
      "002-loads.png",
    ]);
  },
);

thorough("a repair that changes nothing is tried twice and no more", async () => {
  await using project = await createFixProject({ ...twoGates, agent: "claim" });
  const { exitCode, stdout } = await project.ralph("verify", "--fix");
  expect(exitCode).toBe(4);
  expect(stdout.match(/plan, then repair/g)).toHaveLength(2);
  expect(stdout).toContain("The same failure twice with the same work.");
});

thorough("the number of repairs is limited", async () => {
  const agent = { fix: 'echo "$attempt" >attempt; signal fix-done' };
  await using project = await createFixProject({ ...twoGates, agent });
  const { exitCode, stdout } = await project.ralph("verify", "--fix", "--fix-iterations", "1");
  expect(exitCode).toBe(4);
  expect(stdout).toContain("Still red after 1 repair of gates.");
});

test("a repair that breaks a gate is taken back", async () => {
  const { web } = { web: { start: { dev: "exit 1" }, port: 1 } };
  await using project = await createFixProject({
    files: { other: "ok\n" },
    gates: { other: "grep -q ok other" },
    config: { services: { web } },
    agent: { fix: "echo bad >other; signal fix-done" },
  });
  const { exitCode, stdout } = await project.ralph("verify", "--fix", "--fix-iterations", "1");
  expect(exitCode).toBe(9);
  expect(stdout).toContain("the repair was taken back: other: exit code 1");
  expect(stdout).not.toContain("in the work tree");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a dirty work tree is refused, because repairs could not be told from it", async () => {
  await using project = await createFixProject({ ...twoGates, agent: "claim" });
  project.write("value", "3\n");
  const { exitCode, stderr } = await project.ralph("verify", "--fix");
  expect(exitCode).toBe(14);
  expect(stderr).toContain("  value\n");
});

thorough("an agent that fails again and again ends the loop with its own exit code", async () => {
  await using project = await createFixProject({ ...twoGates, agent: "exit 3" });
  const { exitCode, stdout } = await project.ralph("verify", "--fix");
  expect(exitCode).toBe(8);
  expect(stdout).toContain("The agent failed 3 times in a row:");
});

test.each([
  [["--fix-iterations", "2"], "--fix-iterations needs --fix."],
  [
    ["--fix", "--fix-iterations", "51"],
    '--fix-iterations must be a whole number from 1 to 50, not "51".',
  ],
])("%j is refused", async (args, message) => {
  await using project = await createFixProject({ ...twoGates, agent: "claim" });
  const { exitCode, stderr } = await project.ralph("verify", ...args);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(message);
});
