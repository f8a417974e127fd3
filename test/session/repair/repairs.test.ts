import { expect, test } from "vitest";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const repair = "sed -i '/^process.exit(3);$/d' backend.mjs";
const broken = (files = webAppFiles()) => ({
  ...files,
  "backend.mjs": `process.exit(3);\n${files["backend.mjs"]}`,
});

/** A program whose backend ends at once: services alone show it, without a browser. */
const createBroken = async (options: ProjectOptions = {}) => {
  const { backend } = await webAppServices();
  const config = { services: { backend }, ...options.config };
  return createProject({ tasks: [task("T-001")], files: broken(), ...options, config });
};
const flags = ["--post-verify", "--fix"];

test.runIf(chromium && runsAll)(
  "what a page lacks is repaired in a commit of its own",
  async () => {
    const page = webAppFiles()["index.html"] ?? "";
    const tests = [{ name: "loads", action: "open", expected: "Customers" }];
    await using project = await createProject({
      tasks: [task("T-001")],
      files: { ...webAppFiles(), "index.html": page.replaceAll("Users", "Clients") },
      config: { services: await webAppServices(), ui: { agent_browser: { enabled: true, tests } } },
      agent: {
        fix: "sed -i s/Clients/Customers/ index.html; echo changed >tests.test.txt; signal fix-done",
      },
    });
    const { exitCode, stdout, facts, state } = await project.run();
    expect(exitCode, stdout).toBe(0);
    expect(project.commits()).toEqual([
      expect.stringMatching(/^feat\(T-001\)/),
      'fix: loads: nothing on the page matches "Customers" after 5 s',
    ]);
    expect(project.git("show", "--name-only", "--format=", "HEAD")).toBe("index.html");
    expect(project.git("status", "--porcelain")).toBe("");
    expect(facts("fix_call_end").map(({ role, refused }) => [role, refused])).toEqual([
      ["planning", []],
      ["fix", ["tests.test.txt"]],
    ]);
    expect(state.head).toBe(project.git("rev-parse", "HEAD"));
    expect(JSON.parse(project.read(".ralph-session/run-record.json"))).toMatchObject({
      stop_reason: "all_done",
      verification: { level: "ui", status: "passed", passed: 1, failed: 0, fixes: 1 },
    });
    const timeline = project.read(".ralph-session/logs/timeline.jsonl");
    for (const name of ["fix_loop_start", "fix_loop_iteration", "fix_loop_end"]) {
      expect(timeline).toContain(`"event":"${name}"`);
    }
    expect(project.read(".ralph-session/logs/fix-verify.log")).toContain("repair 1 of browser");
    const audit = await project.ralph("audit", "--prove");
    expect(audit.exitCode, audit.stdout).toBe(0);
    expect(audit.stdout).toContain(`✓ repair 1 of browser kept as ${state.head.slice(0, 12)}`);
  },
);

test("a repair that breaks a gate is taken back, and the next prompt says so", async () => {
  await using project = await createBroken({
    files: { ...broken(), other: "ok\n" },
    gates: { other: "cat other; grep -q ok other" },
    agent: {
      fix: `printf %s "$prompt" >"$0.$attempt"
if [ "$attempt" = 1 ]; then echo bad >other; else ${repair}; fi; signal fix-done`,
    },
  });
  const { exitCode, stdout, facts } = await project.run(...flags);
  expect(exitCode, stdout).toBe(0);
  expect(facts("fix_end").map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ["broke", 'gate "other" fails: exit code 1\nbad'],
    ["kept", "Verified: services."],
  ]);
  expect(project.read("other")).toBe("ok\n");
  expect(project.read("../bin/agent.2")).toContain(
    'A repair was taken back, because this does not hold with it: gate "other" fails: exit code 1\nbad',
  );
  expect((await project.ralph("audit")).exitCode).toBe(0);
});

thorough("a repair that undoes a criterion of a passed task is taken back", async () => {
  const criterion = "File `src/T-001.txt` contains `attempt`";
  await using project = await createBroken({
    tasks: [task("T-001", { acceptanceCriteria: [criterion] })],
    agent: { fix: `${repair}; echo gone >src/T-001.txt; signal fix-done` },
  });
  const { exitCode, facts } = await project.run(...flags);
  expect(exitCode).toBe(9);
  const [end] = facts("fix_end");
  expect(end?.outcome).toBe("broke");
  expect(end?.detail).toContain(`T-001: ${criterion}`);
  expect(project.commits()).toHaveLength(1);
});

thorough("the same failure twice with the same work ends the session", async () => {
  await using project = await createBroken({ agent: { fix: "signal fix-done" } });
  const { exitCode, stdout, facts } = await project.run(...flags);
  expect(exitCode).toBe(9);
  expect(facts("fix_end").map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
  expect(stdout).toContain("The same failure twice with the same work.");
  // Whoever starts it again asks for new repairs.
  const again = await project.run("--resume", ...flags);
  expect(again.facts("fix_end")).toHaveLength(4);
});

test("nothing is repaired without a browser or Robot Framework test, or with --no-fix", async () => {
  await using project = await createBroken();
  const { exitCode, facts } = await project.run("--post-verify");
  expect(exitCode).toBe(9);
  expect(facts("fix_start")).toEqual([]);
  const refused = await project.ralph("run", "--fix");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("nothing is verified after the last task");
});

test("a port of somebody else is no reason to pay for a repair", async () => {
  const { createServer } = await import("node:http");
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const backend = { start: { dev: "exec sleep 60" }, port };
  await using project = await createBroken({ config: { services: { backend } } });
  const { exitCode, stdout, facts } = await project.run(...flags);
  server.close();
  expect(exitCode).toBe(9);
  expect(stdout).toContain("No repair frees a port that another program holds.");
  expect(facts("fix_start")).toEqual([]);
});

thorough("a budget needs the cost of repairs too", async () => {
  await using project = await createBroken({ config: { limits: { budget_usd: 0.5 } } });
  const { exitCode, stderr } = await project.ralph("run", ...flags);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("agents.fix (driver command)");
});
