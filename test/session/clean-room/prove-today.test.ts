import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proveHead } from "../../../src/session/clean-room/prove-head.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";
import { nodeScript, server } from "../../support/services/scripts.ts";
import { webAppServices } from "../../support/services/web-app.ts";

const workflow = "mkdir -p .github/workflows; echo 'on: push' >.github/workflows/x.yml";

/** A session by loose rules, its bundle, and clones of the base branch before and after the rules became strict. */
async function createLooseSession({
  gate = "grep -q good src/T-001.txt",
  file = "",
  more = {},
}: {
  gate?: string;
  file?: string;
  more?: object;
} = {}) {
  const project = await createProject({
    tasks: [task("T-001")],
    agent: { implementation: `${workflow}; honest` },
    gates: { test: "test -d src" },
    files: { "src/a.txt": "a" },
    config: { protect: { allow: [".github/**"] } },
  });
  project.git("init", "-q", "--bare", "-b", "main", join(project.folder, "remote.git"));
  project.git("remote", "add", "origin", join(project.folder, "remote.git"));
  project.git("push", "-q", "origin", "main");
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  const bundle = join(project.folder, "artifact");
  cpSync(sessionFolders(project.stateDir)[0] ?? "none", bundle, { recursive: true });
  const old = cloneAs(project, "old");
  project.git("switch", "-q", "main");
  const config = JSON.parse(project.read(".ralph/ralph.yml"));
  config.gates.full = [{ name: "test", cmd: gate }];
  config.protect = {};
  Object.assign(config, more);
  project.write(".ralph/ralph.yml", JSON.stringify(config));
  if (file !== "") project.write(file, "exit 0\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "strict");
  project.git("push", "-q", "origin", "main");
  return { project, bundle, old, today: cloneAs(project, "today") };
}

function cloneAs(project: Project, name: string): string {
  const root = join(project.folder, name);
  project.git("clone", "-q", "-b", "main", join(project.folder, "remote.git"), root);
  return root;
}

async function prove(project: Project, root: string, bundle: string) {
  const env = { ...project.system.env, RALPH_STATE_DIR: join(project.folder, "elsewhere") };
  const system = { ...project.system, env };
  const { store } = await locateProject(system, root);
  const { signal: cancel } = new AbortController();
  return await proveHead(system, { root, store, bundle, cancel, notice: () => {} });
}

describe("a bundle that begins at a commit with looser rules (T37, T57)", () => {
  test("is refuted by the gates of the commit the clone was given, and proved only where that is its own start", async () => {
    const { project, bundle, old, today } = await createLooseSession();
    await using _ = project;
    expect(await prove(project, old, bundle)).toMatchObject({ kind: "proved" });
    const proof = await prove(project, today, bundle);
    expect(proof.kind).toBe("refuted");
    expect(proof.problems).toEqual([
      expect.stringMatching(/^"test" does not pass by the rules of \w+, the commit this clone/),
    ]);
  });

  thorough("is published only where its own start is the commit of the checkout", async () => {
    const { project, bundle, old, today } = await createLooseSession();
    await using _ = project;
    const publish = (root: string) =>
      project.ralphIn(root, "publish", "--no-pr", "--bundle", bundle);
    const refused = await publish(today);
    expect(refused.exitCode).toBe(25);
    expect(refused.stderr).toContain(".github/workflows/x.yml: is protected");
    expect((await publish(old)).exitCode).toBe(0);
  });
});

thorough(
  "tests of the user interface that came with the base branch refute a head that lacks what they ask for",
  async () => {
    const { backend } = await webAppServices();
    const start = { dev: nodeScript(server()) };
    const ui = { agent_browser: { enabled: true, script: "ui.sh" } };
    const { project, bundle, today } = await createLooseSession({
      gate: "test -d src",
      file: "ui.sh",
      more: { services: { backend: { start, port: backend.port } }, ui },
    });
    await using _ = project;
    // As written there, the script is green.
    expect(await prove(project, today, bundle)).toMatchObject({
      ...{ kind: "proved", program: { level: "ui" } },
    });
    project.gitIn(today, "config", "user.name", "a");
    project.gitIn(today, "config", "user.email", "a@b.example");
    writeFileSync(join(today, "ui.sh"), "exit 3\n");
    project.gitIn(today, "commit", "-qam", "red");
    const proof = await prove(project, today, bundle);
    expect(proof.kind).toBe("refuted");
    expect(proof.problems).toEqual([
      expect.stringMatching(/^"browser test ui\.sh" does not pass by the rules of \w+/),
    ]);
  },
);

thorough("a gate that came with files of the base branch runs on the merge with it", async () => {
  const { project, bundle, today } = await createLooseSession({
    gate: "sh check.sh",
    file: "check.sh",
  });
  await using _ = project;
  expect(await prove(project, today, bundle)).toMatchObject({ kind: "proved", problems: [] });
});
