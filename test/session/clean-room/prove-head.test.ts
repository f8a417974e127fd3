import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProofStep } from "../../../src/core/checks/prove.ts";
import { proveHead } from "../../../src/session/clean-room/prove-head.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

/** What the proof of the project's only session comes to, asked for in `root`. */
async function prove(project: Project, given: { root?: string; cancel?: AbortSignal } = {}) {
  const { root = project.root, cancel = new AbortController().signal } = given;
  const { store } = await locateProject(project.system, root);
  const [bundle = "none"] = sessionFolders(project.stateDir);
  const steps: ProofStep[] = [];
  const notice = (step: ProofStep) => void steps.push(step);
  const proof = await proveHead(project.system, { root, store, bundle, cancel, notice });
  const evidence = (sha256 = "none") =>
    readFileSync(join(store.folder, "proof/evidence", sha256), "utf8");
  return { proof, steps, evidence, leftovers: readdirSync(store.folder) };
}

const command = (text: string) => `Run \`${text}\` exits with 0`;
const one = (more = {}) => [task("T-001", more)];
const ignoring = { files: { ".gitignore": "node_modules/\n" } };

describe.concurrent("an honest head", () => {
  test("is proved by every gate and checkable criterion, each with its evidence", async () => {
    const acceptanceCriteria = [
      "It reads well",
      command("echo seen"),
      "File `src/T-001.txt` exists",
    ];
    const gates = { first: "echo one", second: "echo two" };
    await using project = await createProject({ tasks: one({ acceptanceCriteria }), gates });
    await project.run();
    const { proof, steps, evidence } = await prove(project);
    expect(proof).toMatchObject({
      kind: "proved",
      head: project.git("rev-parse", "ralph/example"),
      headTree: project.git("rev-parse", "ralph/example^{tree}"),
      start: project.git("rev-parse", "main"),
      gates: [
        { name: "first", ok: true },
        { name: "second", ok: true },
      ],
      criteria: [
        { task: "T-001", index: 2, ok: true },
        { task: "T-001", index: 3, ok: true },
      ],
      problems: [],
    });
    expect(evidence(proof.gates[1]?.output?.sha256)).toBe("two\n");
    expect(evidence(proof.criteria[0]?.output?.sha256)).toContain("seen");
    expect(steps.map(({ kind }) => kind)).toEqual(["gate", "gate", "criterion", "criterion"]);
    expect(JSON.parse(JSON.stringify(proof))).toEqual(proof);
  });

  test("changes nothing: work tree, branches, sessions and the bundle stay as they are", async () => {
    await using project = await createProject({ tasks: one() });
    await project.run();
    project.git("checkout", "-q", "--detach", "main");
    project.write("a.txt", "mine, not committed\n");
    const [bundle = "none"] = sessionFolders(project.stateDir);
    const look = () => [
      project.git("status", "--porcelain", "--branch"),
      project.git("for-each-ref"),
      project.read("a.txt"),
      readFileSync(join(bundle, "journal.jsonl"), "utf8"),
      ...sessionFolders(project.stateDir),
    ];
    const before = look();
    const { proof, leftovers } = await prove(project);
    expect(proof.kind).toBe("proved");
    expect(look()).toEqual(before);
    expect(leftovers.filter((name) => name.includes("ralph-tmp"))).toEqual([]);
  });

  thorough(
    "is proved although a killed proof has left its clone, and a program that runs there: both go",
    async () => {
      await using project = await createProject({ tasks: one() });
      await project.run();
      const { store } = await locateProject(project.system, project.root);
      const left = join(store.folder, `ralph-tmp-999999999-1-${"0".repeat(16)}`);
      mkdirSync(left);
      const service = spawn("sleep", ["300"], {
        ...{ cwd: left, detached: true, stdio: "ignore" },
        env: { ...process.env, RALPH_CALL: `999999999-1-${"0".repeat(16)}` },
      });
      const ended = once(service, "exit");
      const { proof, leftovers } = await prove(project);
      expect(proof.kind).toBe("proved");
      expect(leftovers.filter((name) => name.includes("ralph-tmp"))).toEqual([]);
      await ended;
    },
  );

  thorough(
    "is proved where the user and the base branch have moved on, by the start commit's gates",
    async () => {
      const whole = { name: "whole", cmd: "test -e src", baseline: "repair" };
      const config = { gates: { full: [whole] } };
      await using project = await createProject({ tasks: one(), config });
      await project.run();
      project.write(".ralph/ralph.yml", "nonsense: true\n");
      project.git("commit", "-qam", "mine on top");
      project.git("checkout", "-q", "main");
      project.git("commit", "-q", "--allow-empty", "-m", "others");
      const { proof } = await prove(project);
      expect(proof).toMatchObject({ kind: "proved", gates: [{ name: "whole" }] });
      expect(proof.head).toBe(project.git("rev-parse", "ralph/example~1"));
    },
  );

  thorough("is proved in a clone on another machine that has only the start commit", async () => {
    await using project = await createProject({ tasks: one() });
    await project.run();
    const bundle = join(project.folder, "artifact");
    cpSync(sessionFolders(project.stateDir)[0] ?? "none", bundle, { recursive: true });
    const [root, stateDir] = [join(project.folder, "fresh"), join(project.folder, "elsewhere")];
    project.git("clone", "-q", "--no-local", "--single-branch", "-b", "main", project.root, root);
    const system = { ...project.system, env: { ...project.system.env, RALPH_STATE_DIR: stateDir } };
    const { store } = await locateProject(system, root);
    const { signal: cancel } = new AbortController();
    const request = { root, store, bundle: "../artifact", cancel, notice: () => {} };
    expect(await proveHead(system, request)).toMatchObject({ kind: "proved", problems: [] });
    // As often as one likes.
    expect((await proveHead(system, request)).kind).toBe("proved");
    expect(project.gitIn(root, "log", "--all", "--format=%s")).not.toContain("T-001");
  });

  thorough("is proved where the project lies below the repository's root", async () => {
    await using project = await createProject({ tasks: one() });
    for (const name of [".ralph", "a.txt"]) {
      cpSync(join(project.root, name), join(project.root, "part", name), { recursive: true });
    }
    project.git("rm", "-rq", ".ralph");
    project.git("add", "-A");
    project.git("commit", "-qm", "moved");
    const root = join(project.root, "part");
    expect((await project.runIn(root)).exitCode).toBe(0);
    expect((await prove(project, { root })).proof.kind).toBe("proved");
  });

  test.runIf(hasBubblewrap)("is proved inside the sandbox, which hides what is ours", async () => {
    // In the clone nothing of the store can be seen but the way to it.
    const isAlone = `test "$(ls -A ../..)" = "$(basename "$(dirname "$PWD")")"`;
    const gates = {
      hidden: `git log >/dev/null && case $PWD in */clone) ${isAlone} ;; esac`,
    };
    await using project = await createProject({
      tasks: one(),
      gates,
      sandbox: { mode: "required" },
    });
    await project.run();
    const { proof } = await prove(project);
    expect(proof).toMatchObject({ kind: "proved", sandbox: "bubblewrap" });
  });
});

/** Ignored files are no change of the work: nobody puts them back, and no reviewer sees them. */
const faking = {
  implementation: "mkdir -p node_modules/.cache && echo ok >node_modules/.cache/result; honest",
};
const faked = "cat node_modules/.cache/result";

describe.concurrent("an agent that fakes a result in ignored files", () => {
  test("passes in place, and its gate and criterion are refuted here", async () => {
    await using project = await createProject({
      ...ignoring,
      tasks: one({ acceptanceCriteria: [command(faked), "File `src/T-001.txt` exists"] }),
      gates: { build: `${faked} || test ! -e src`, honest: "true" },
      agent: faking,
    });
    const { exitCode, facts } = await project.run();
    expect(exitCode).toBe(0);
    expect(facts("task_passed")).toHaveLength(1);
    expect((await project.ralph("audit")).stdout).toContain("is sound");
    expect(existsSync(join(project.root, "node_modules/.cache/result"))).toBe(true);
    const { proof, evidence } = await prove(project);
    expect(proof).toMatchObject({
      kind: "refuted",
      gates: [
        { name: "build", ok: false },
        { name: "honest", ok: true },
      ],
      criteria: [
        { index: 1, ok: false },
        { index: 2, ok: true },
      ],
      problems: [],
    });
    expect(proof.gates[0]?.because).toContain("exit code 1");
    expect(evidence(proof.gates[0]?.output?.sha256)).toContain("No such file");
  });

  thorough("does not hide a new failure among old ones", async () => {
    const old = "echo 'src/a.ts(1,1): error TS1000: old'";
    const fresh = "echo 'src/b.ts(1,1): error TS1000: new'";
    await using project = await createProject({
      ...ignoring,
      tasks: one(),
      gates: { types: `${old}; test ! -e src || ${faked} || ${fresh}; exit 1` },
      agent: faking,
    });
    expect((await project.run()).exitCode).toBe(0);
    const { proof } = await prove(project);
    expect(proof.kind).toBe("refuted");
    expect(proof.gates[0]?.because).toMatch(/^new failures: .*b\.ts/);
    expect(proof.gates[0]?.because).not.toMatch(/^new failures: .*a\.ts/);
  });
});

describe.concurrent("a gate that was red before", () => {
  const red = "echo 'src/a.ts(1,1): error TS1000: old'; exit 1";

  thorough("counts by its failures, measured here and not taken from the journal", async () => {
    await using project = await createProject({ tasks: one(), gates: { types: red } });
    expect((await project.run()).exitCode).toBe(0);
    const { proof } = await prove(project);
    expect(proof).toMatchObject({
      kind: "proved",
      gates: [{ status: "failed", ok: true, because: "fails as it did on the start commit" }],
    });
  });
});

describe.concurrent("setup steps", () => {
  const setup = [{ name: "install", cmd: "mkdir -p node_modules && cp a.txt node_modules/tool" }];

  test("make ready what gates need", async () => {
    const cmd = "cat node_modules/tool; test ! -d src";
    const config = { setup, gates: { full: [{ name: "tool", cmd, fatal: false }] } };
    await using project = await createProject({ ...ignoring, tasks: one(), config });
    expect((await project.run()).exitCode).toBe(0);
    const { proof, evidence } = await prove(project);
    expect(proof).toMatchObject({
      kind: "proved",
      setup: [{ name: "install", ok: true }],
      gates: [{ ok: true, because: "fails, and only warns (`fatal: false`)" }],
    });
    expect(evidence(proof.gates[0]?.output?.sha256)).toBe("a\n");
  });

  test("that fail refute the head, and nothing else is run", async () => {
    const cmd = "test ! -d src";
    const config = { setup: [{ name: "install", cmd }] };
    await using project = await createProject({ tasks: one(), config });
    expect((await project.run()).exitCode).toBe(0);
    const { proof } = await prove(project);
    expect(proof).toMatchObject({
      kind: "refuted",
      setup: [{ ok: false, because: "exit code 1" }],
      gates: [],
      problems: ['setup step "install" failed, so no gate could run'],
    });
  });
});
