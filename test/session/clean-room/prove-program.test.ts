import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProofStep } from "../../../src/core/checks/prove.ts";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import { proveHead } from "../../../src/session/clean-room/prove-head.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createProject,
  type Project,
  type ProjectOptions,
  sessionFolders,
} from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";
import { chromium } from "../../support/services/chromium.ts";
import { hasRobot, robotSuite } from "../../support/services/robot.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const tests = [
  { name: "app loads", action: "open", expected: "Users" },
  { name: "dashboard", action: 'click_tab("Dashboard")', expected: "Dashboard heading" },
];
const acceptanceCriteria = ["It works", "agent-browser: open `/` - Users heading is shown"];

/** A session of the web application that has ended; both kinds of tests are enabled. */
async function finish(options: ProjectOptions = {}, ...args: string[]) {
  // The sandbox shows programs on PATH, wherever they are.
  const services = await webAppServices("node");
  const variables = { API: `http://localhost:${services.backend.port}`, TITLE: "Users" };
  const robot = { enabled: true, suite: "robot", variables };
  const project = await createProject({
    tasks: [task("T-001", { acceptanceCriteria })],
    files: { ...webAppFiles(), "robot/users.robot": robotSuite, ".gitignore": ".ralph-session/\n" },
    config: { services, ui: { agent_browser: { enabled: true, tests }, robot } },
    ...options,
  });
  const { exitCode, stdout } = await project.run(...args);
  expect(exitCode, stdout).toBe(0);
  return { project, port: services.backend.port };
}

async function prove(project: Project, env: Record<string, string> = {}) {
  const system = { ...project.system, env: { ...project.system.env, ...env } };
  const { store } = await locateProject(system, project.root);
  const [bundle = "none"] = sessionFolders(project.stateDir);
  const steps: ProofStep[] = [];
  const proof = await proveHead(system, {
    ...{ root: project.root, store, bundle, cancel: new AbortController().signal },
    notice: (step) => void steps.push(step),
  });
  const evidence = (sha256 = "none") => readFileSync(join(store.folder, "proof/evidence", sha256));
  return { proof, steps, evidence };
}

/** A folder for PATH with all programs but Robot Framework and what could run it. */
function withoutRobot(project: Project): string {
  const folder = join(project.folder, "programs");
  mkdirSync(folder);
  for (const place of process.env.PATH?.split(":") ?? []) {
    for (const name of listed(place)) {
      const isLeftOut = /^(?:robot|uv|python)/.test(name) || existsSync(join(folder, name));
      if (!isLeftOut) symlinkSync(join(place, name), join(folder, name));
    }
  }
  return folder;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

describe.skipIf(!chromium || !hasRobot)(
  "a head whose tests of the user interface are green",
  () => {
    let project: Project;
    let port: number;
    beforeAll(async () => {
      ({ project, port } = await finish());
    });
    afterAll(() => project[Symbol.asyncDispose]());

    test("is proved by services, browser tests and the suite, with their evidence", async () => {
      const { proof, steps, evidence } = await prove(project);
      expect(proof).toMatchObject({ kind: "proved", problems: [] });
      expect(proof.program).toMatchObject({ level: "ui+robot", missing: [] });
      const shown = proof.program?.parts.map(({ phase, name, status }) => [phase, name, status]);
      expect(shown).toEqual([
        ["services", undefined, "passed"],
        ["browser", "app loads", "passed"],
        ["browser", "dashboard", "passed"],
        ["robot", "Users can be listed", "passed"],
        ["robot", "The page is served", "passed"],
        ["robot", "Not today", "skipped"],
      ]);
      const kinds = ["gate", "criterion", ...Array(6).fill("program")];
      expect(steps.map(({ kind }) => kind)).toEqual(kinds);
      const [, first] = proof.program?.parts ?? [];
      expect(evidence(first?.picture?.sha256).subarray(1, 4).toString()).toBe("PNG");
      expect(evidence(first?.output?.sha256).toString()).toContain('- heading "Users"');
      const files = proof.program?.files ?? {};
      expect(Object.keys(files).sort()).toEqual(["log.html", "output.xml", "report.html"]);
      expect(evidence(files["output.xml"]?.sha256).toString()).toContain("<robot");
      expect(await isPortOpen(port)).toBe(false);
    });

    thorough(
      "is proved without a browser where there is none, and the level and one sentence say so",
      async () => {
        const { proof } = await prove(project, { CHROME_PATH: "/nowhere/chromium" });
        expect(proof).toMatchObject({ kind: "proved", program: { level: "robot" } });
        expect(proof.program?.missing).toEqual([
          "browser tests (no Chromium)",
          "1 browser criterion (no Chromium)",
        ]);
      },
    );

    thorough(
      "is proved without the suite where Robot Framework is missing, and the level says so",
      async () => {
        const { proof } = await prove(project, {
          PATH: withoutRobot(project),
          CHROME_PATH: chromium ?? "",
        });
        expect(proof).toMatchObject({ kind: "proved", program: { level: "ui" } });
        expect(proof.program?.missing).toEqual(["the suite of Robot Framework (no robot)"]);
      },
    );

    test("is neither proved nor refuted while another program holds a port", async () => {
      const holder = createServer().listen(port, "127.0.0.1");
      await expect(prove(project)).rejects.toMatchObject({ reason: "service" });
      holder.close();
    });

    thorough("is proved while the merge with a base branch that breaks a page is red", async () => {
      project.git("switch", "-q", "main");
      const page = project.read("index.html");
      project.write("index.html", page.replace("Dashboard heading", "Dashbord"));
      project.git("commit", "-qam", "others");
      const { proof } = await prove(project);
      expect(proof).toMatchObject({ kind: "proved", program: { level: "ui+robot" } });
      expect(proof.base?.kind).toBe("red");
      const red = proof.base?.program?.parts.filter(({ ok }) => !ok);
      expect(red).toMatchObject([{ phase: "browser", name: "dashboard" }]);
    });
  },
);

test.runIf(chromium && hasRobot && runsAll)(
  "a page that lacks what is expected refutes the head, and the suite runs all the same",
  async () => {
    const agent = { implementation: "sed -i s/Dashboard.heading/Dashbord/ index.html; honest" };
    const { project } = await finish({ agent }, "--no-post-verify");
    await using _ = project;
    const { proof, evidence } = await prove(project);
    expect(proof).toMatchObject({ kind: "refuted", problems: [], program: { level: "ui+robot" } });
    const red = proof.program?.parts.filter(({ ok }) => !ok) ?? [];
    expect(red).toMatchObject([
      {
        ...{ phase: "browser", name: "dashboard" },
        because: expect.stringMatching(/^nothing on the page matches "Dashboard heading"/),
      },
    ]);
    expect(evidence(red[0]?.picture?.sha256).subarray(1, 4).toString()).toBe("PNG");
    const audited = await project.ralph("audit", "--prove");
    expect(audited.exitCode).toBe(4);
    expect(audited.stdout).toContain("is REFUTED: 1 of ");
    expect(audited.stdout).toMatch(
      /Picture of browser test dashboard: .*\/proof\/evidence\/[0-9a-f]{64}\n/,
    );
  },
);

test("a service that does not start refutes the head", async () => {
  const ui = { agent_browser: { enabled: true, tests } };
  const services = await webAppServices();
  const config = { services, ui };
  const agent = { implementation: "echo 'process.exit(3)' >backend.mjs; honest" };
  const tasks = [task("T-001")];
  const { project } = await finish({ config, agent, tasks }, "--no-post-verify");
  await using _ = project;
  const { proof } = await prove(project);
  expect(proof).toMatchObject({
    kind: "refuted",
    program: {
      level: "services",
      parts: [{ phase: "services", because: expect.stringContaining("ended with exit code 3") }],
    },
  });
});

test("tests of a program that runs elsewhere say nothing about the head, and are left out", async () => {
  const browser_use = { base_url: "http://localhost:1" };
  const ui = { browser_use, agent_browser: { enabled: true, tests } };
  const config = { services: {}, ui };
  const { project } = await finish({ config, tasks: [task("T-001")] }, "--no-post-verify");
  await using _ = project;
  const { proof } = await prove(project);
  const missing = ["tests of the user interface (http://localhost:1 does not run this head)"];
  expect(proof).toMatchObject({ kind: "proved", program: { level: "none", parts: [], missing } });
});

test.runIf(chromium && hasRobot && hasBubblewrap && runsAll)(
  "services, browser and suite of the clean room run in the sandbox",
  async () => {
    const { project } = await finish({ sandbox: { mode: "required" } });
    await using _ = project;
    const { proof } = await prove(project);
    expect(proof).toMatchObject({
      ...{ kind: "proved", sandbox: "bubblewrap" },
      program: { level: "ui+robot" },
    });
  },
);
