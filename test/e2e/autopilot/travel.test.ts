import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { goodAnswer, itemBranch, say } from "../../support/autopilot/project.ts";
import { goodAnalysis } from "../../support/autopilot/team.ts";
import { createTravellingRun } from "../../support/autopilot/travelling-run.ts";
import { rewriteJournal } from "../../support/github/forge-bundle.ts";
import { createTestFolder } from "../../support/project/system.ts";

const document = "tasks/prd-login-form.md";

type State = { document: object; document_commit: object };

describe("a finished run", () => {
  test("is proved and published on machines that only have the base branch", async () => {
    await using run = await createTravellingRun();
    const { project, fake, remoteGit } = run;
    expect(await project.ralph("autopilot", "--no-create-pr")).toMatchObject({ exitCode: 0 });
    const artifact = run.carry("session");
    expect(existsSync(join(artifact, "autopilot.json"))).toBe(true);

    const room = run.machine("clean-room");
    const proved = await project.ralphIn(room, "audit", artifact, "--prove");
    expect(proved).toMatchObject({ exitCode: 0, stderr: "" });

    const publisher = run.machine("publisher");
    const published = await project.ralphIn(publisher, "publish", "--bundle", artifact);
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
    // It was started without a request for one.
    expect(fake.state.pulls).toEqual([]);
    const subjects = remoteGit("log", "--reverse", "--format=%s", `main..${itemBranch}`);
    expect(subjects.split("\n")).toEqual(project.commits());
  });
});

thorough(
  "a branch with a requested name is published from its own machine, but not on the word of a bundle from another",
  async () => {
    await using run = await createTravellingRun();
    const { project, remoteGit } = run;
    const started = await project.ralph("autopilot", "--no-create-pr", "-b", "mine/login");
    expect(started).toMatchObject({ exitCode: 0 });
    const publisher = run.machine("publisher");
    const bundle = run.carry("session");
    const refused = await project.ralphIn(publisher, "publish", "--bundle", bundle);
    expect(refused).toMatchObject({ exitCode: 14, stderr: expect.stringContaining("ralph/") });
    expect(remoteGit("branch", "--list", "mine/*")).toBe("");
    expect(await project.ralph("publish")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(remoteGit("branch", "--list", "mine/*")).toContain("mine/login");
  },
);

describe("a stopped run", () => {
  thorough(
    "resumes its session on another machine, and is published from there under its item",
    async () => {
      await using folder = await createTestFolder();
      const flag = join(folder.path, "go");
      const agent = {
        implementation: `[ "$task" = T-001 ] || [ -e ${flag} ] || exit 9; mkdir -p src; echo "$task" >"src/part-\${task#T-00}.ts"; claim`,
      };
      await using run = await createTravellingRun({ agent });
      const { project, fake } = run;
      expect((await project.ralph("autopilot")).exitCode).not.toBe(0);
      const artifact = run.carry("session");
      const machine = run.machine("elsewhere");
      writeFileSync(flag, "");
      const resumed = await project.ralphIn(machine, "autopilot", "--resume", artifact);
      expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
      expect(fake.state.pulls).toMatchObject([{ title: "Ralph: Repair the login form" }]);
      const again = await project.ralphIn(machine, "autopilot", "--resume", artifact);
      expect(again).toMatchObject({ exitCode: 2 });
    },
  );

  test.each(sampled(["autopilot", "run"], 1))(
    "is resumed nowhere by `%s` when its session hides that a model wrote the list",
    async (command) => {
      await using run = await createTravellingRun({ agent: { implementation: "exit 9" } });
      const { project } = run;
      expect((await project.ralph("autopilot", "--no-create-pr")).exitCode).not.toBe(0);
      const artifact = run.carry("session");
      rewriteJournal(artifact, { '"list_author":"model",': "" });
      expect(readFileSync(join(artifact, "journal.jsonl"), "utf8")).not.toContain("list_author");
      const machine = run.machine("elsewhere");
      const refused = await project.ralphIn(machine, command, "--resume", artifact);
      expect(refused).toMatchObject({ exitCode: 25, stderr: expect.stringContaining("a model") });
    },
  );

  thorough("resumes on another machine with its chosen item before its first commit", async () => {
    const turns = [say(goodAnalysis()), { say: "no" }, { say: "no" }, say(goodAnswer)];
    await using run = await createTravellingRun({ turns });
    const { project } = run;
    expect((await project.ralph("autopilot", "--no-create-pr")).exitCode).toBe(12);
    const refused = await project.ralph("publish");
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("no session") });
    const artifact = run.carry("plan");
    const machine = run.machine("elsewhere");
    const asked = project.model.asks.length;
    const resumed = await project.ralphIn(machine, "autopilot", "--resume", artifact);
    expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(project.model.asks.length - asked).toBe(2);
    const subjects = project.gitIn(machine, "log", "--format=%s", `main..${itemBranch}`);
    expect(subjects.split("\n")).toHaveLength(4);
  });

  thorough(
    "has a draft pull request with the document alone, which its session then reuses",
    async () => {
      await using run = await createTravellingRun();
      const { project, fake, remoteGit } = run;
      const stopped = await project.ralph("autopilot", "--prd-mode", "interactive");
      expect(stopped.stdout).toContain("`ralph publish` opens a draft pull request");
      expect(await project.ralph("publish")).toMatchObject({ exitCode: 0, stderr: "" });
      expect(remoteGit("diff", "--name-only", `main..${itemBranch}`).split("\n")).toEqual([
        ".ralph/autopilot/analysis.json",
        document,
      ]);
      expect(fake.state.pulls).toMatchObject([
        { draft: true, body: expect.stringContaining("Nothing is built or proved yet") },
      ]);
      const tip = remoteGit("rev-parse", itemBranch);
      expect(await project.ralph("publish")).toMatchObject({ exitCode: 0 });
      expect(remoteGit("rev-parse", itemBranch)).toBe(tip);

      const artifact = run.carry("plan");
      const reader = run.machine("reader");
      const git = (...args: string[]) => project.gitIn(reader, ...args);
      git("switch", "-q", itemBranch);
      const text = git("show", `HEAD:${document}`);
      writeFileSync(join(reader, document), `${text.replaceAll("its text", "all its text")}\n`);
      git("commit", "-qam", "all of it");
      git("push", "-q", "../github/octo/example.git", itemBranch);

      const machine = run.machine("elsewhere");
      const resumed = await project.ralphIn(machine, "autopilot", "--resume", artifact);
      expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
      expect(fake.state.pulls).toMatchObject([
        { number: 1, body: expect.not.stringContaining("Nothing is built") },
      ]);
      const subjects = remoteGit("log", "--reverse", "--format=%s", `main..${itemBranch}`).split(
        "\n",
      );
      expect(subjects.slice(0, 3)).toEqual([
        "docs: add PRD for Repair the login form",
        "all of it",
        "chore: add prd.json tasks for Repair the login form",
      ]);
      expect(JSON.stringify(project.model.asks.at(-1))).toContain("all its text");
      // The edit counts because this checkout has it on the branch; so has a fresh clone.
      const [session = ""] = project
        .gitIn(machine, "log", "-1", "--format=%(trailers:key=Ralph-Session,valueonly)", "HEAD")
        .split("\n");
      expect(await project.ralphIn(machine, "audit", "--prove")).toMatchObject({ exitCode: 0 });
      const bundle = run.carry("session", session);
      const room = run.machine("clean-room");
      const proved = await project.ralphIn(room, "audit", bundle, "--prove");
      expect(proved).toMatchObject({ exitCode: 0, stderr: "" });
    },
  );

  const lies: [what: string, change: (state: State) => object, exitCode: number][] = [
    ["an uncommitted document", ({ document: it }) => ({ document: { ...it, text: "x" } }), 25],
    ["the base branch as its own", () => ({ branch: "main" }), 14],
    ["an unknown base", () => ({ base: "f".repeat(40) }), 14],
    ["a base that is none", () => ({ base: "--output=x" }), 14],
    [
      "an unknown commit",
      (state) => ({ document_commit: { ...state.document_commit, commit: "f".repeat(40) } }),
      25,
    ],
    ["a list elsewhere", () => ({ task_path: ".ralph/ralph.yml" }), 2],
    ["an invalid run id", () => ({ run_id: "../x" }), 2],
  ];
  test.each(sampled(lies, 3))(
    "does not go on elsewhere when its bundle names %s",
    async (_, change, exitCode) => {
      await using run = await createTravellingRun();
      const { project } = run;
      await project.ralph("autopilot", "--prd-mode", "interactive", "--no-create-pr");
      await project.ralph("publish", "--dry-run");
      const artifact = run.carry("plan");
      const file = join(artifact, "autopilot.json");
      const state = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...state, ...change(state) }));
      const machine = run.machine("elsewhere");
      const refused = await project.ralphIn(machine, "autopilot", "--resume", artifact);
      expect(refused).toMatchObject({ exitCode });
      expect(project.gitIn(machine, "branch", "--format=%(refname:short)")).toBe("main");
    },
  );
});
