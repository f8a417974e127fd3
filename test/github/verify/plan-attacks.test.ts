import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { publishSession } from "../../../src/github/publish/publisher.ts";
import { sampled } from "../../setup/sampled.ts";
import {
  type AutopilotProject,
  goodRequirements,
  itemBranch,
  say,
} from "../../support/autopilot/project.ts";
import { goodAnalysis, goodTasks } from "../../support/autopilot/team.ts";
import {
  createTravellingRun,
  planFolders,
  type TravellingRun,
} from "../../support/autopilot/travelling-run.ts";

const document = "tasks/prd-login-form.md";
const secret = `ghp_${"a1B2".repeat(9)}`;

type State = {
  document: { path: string; text: string };
  document_commit: { commit: string };
  list: string;
};
type Act = (project: AutopilotProject, state: State) => void;
type Hostile = {
  /** Of the clean room, where it is another one: secrets are the publisher's, and without its base nothing is sound. */
  room?: number;
  /** Before the run begins. */
  before?: (project: AutopilotProject) => void;
  /** Where the run waits, with its document committed and its branch checked out. */
  after?: Act;
  /** Where it waits again, with its task list written and not committed. */
  list?: Act;
};

/** Adds files to the document's commit. */
const amend =
  (files: Record<string, string>): Act =>
  (project, state) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project.root, path)), { recursive: true });
      writeFileSync(join(project.root, path), text);
    }
    amendAll(project, state);
  };

function amendAll(project: AutopilotProject, state: State): void {
  project.git("add", "-A");
  project.git("commit", "-q", "--amend", "--no-edit");
  state.document_commit.commit = project.git("rev-parse", "HEAD");
}

function changeState(project: AutopilotProject, change: (state: State) => void): void {
  const file = join(planFolders(project).at(-1) ?? "", "autopilot.json");
  const state = JSON.parse(readFileSync(file, "utf8"));
  change(state);
  writeFileSync(file, JSON.stringify(state));
}

const attacks: [what: string, exitCode: number, words: RegExp, hostile: Hostile][] = [
  ["the configuration", 25, /ralph\.yml .*not a file a plan may/, { after: amendConfig }],
  [
    "a workflow",
    25,
    /x\.yml .*not a file a plan/,
    { after: amend({ ".github/workflows/x.yml": "on: push\n" }) },
  ],
  [
    "the code owners",
    25,
    /CODEOWNERS .*not a file a plan/,
    { after: amend({ CODEOWNERS: "* @eve\n" }) },
  ],
  [
    "a source file",
    25,
    /src\/x\.ts .*not a file a plan/,
    { after: amend({ "src/x.ts": "evil();\n" }) },
  ],
  [
    "an archive that is not a copy",
    25,
    /prd\.json of commit \S+ has another content/,
    {
      after: amend({ ".ralph/archive/20260101-x/prd.json": "{}\n" }),
    },
  ],
  [
    "a link",
    25,
    /link\.md of commit \S+ is not a plain file/,
    {
      after: (project, state) => {
        symlinkSync("../src", join(project.root, "tasks/link.md"));
        amendAll(project, state);
      },
    },
  ],
  [
    "a secret",
    25,
    /\(secret\)/,
    { room: 0, after: amend({ [document]: `# It\n\n- FR-1: use ${secret}\n` }) },
  ],
  [
    "a document in another folder",
    25,
    /document at docs\/x\.md/,
    {
      after: (project, state) => {
        mkdirSync(join(project.root, "docs"));
        project.git("mv", document, "docs/x.md");
        state.document.path = "docs/x.md";
        amendAll(project, state);
      },
    },
  ],
  [
    "a third commit",
    25,
    /has 3 commits/,
    {
      after: (project) => {
        writeFileSync(join(project.root, document), "# It\n\n- FR-1: more\n");
        project.git("commit", "-qam", "more");
      },
    },
  ],
  [
    "a merge",
    25,
    /not one line/,
    {
      after: (project, state) => {
        const side = project.git("commit-tree", "-p", "main", "-m", "side", "main^{tree}");
        const both = ["-p", "HEAD", "-p", side];
        const merge = project.git("commit-tree", ...both, "-m", "both", "HEAD^{tree}");
        project.git("reset", "-q", "--hard", merge);
        state.document_commit.commit = merge;
      },
    },
  ],
  [
    "a task that has passed",
    25,
    /T-002 has passed before/,
    {
      list: (project, state) => {
        const list = JSON.parse(state.list);
        list.tasks[1].passes = true;
        state.list = `${JSON.stringify(list, null, 2)}\n`;
        writeFileSync(join(project.root, ".ralph/prd.json"), state.list);
      },
    },
  ],
  [
    "an unknown base",
    14,
    /is not in this checkout/,
    {
      room: 6,
      before: (project) => {
        project.git("commit", "-q", "--allow-empty", "-m", "mine alone");
      },
    },
  ],
];

function amendConfig(project: AutopilotProject, state: State): void {
  const file = join(project.root, ".ralph/ralph.yml");
  writeFileSync(file, readFileSync(file, "utf8").replace('"true"', '"true #"'));
  amendAll(project, state);
}

/** A whole run with a real session, whose own commits are hostile. */
async function runHostile(run: TravellingRun, { before, after, list }: Hostile): Promise<string> {
  const { project } = run;
  before?.(project);
  await project.ralph("autopilot", "--prd-mode", "interactive", "--no-create-pr");
  changeState(project, (state) => after?.(project, state));
  let ended = await project.ralph("autopilot", "--resume");
  if (list) {
    changeState(project, (state) => list(project, state));
    project.git("add", "-A");
    project.git("commit", "-qm", "list");
    ended = await project.ralph("autopilot", "--resume");
  }
  if (ended.exitCode !== 0) throw new Error(`${ended.stdout}${ended.stderr}`);
  return run.carry("session");
}

const answer = { ...goodAnalysis(), ...goodRequirements, ...goodTasks(2) };

test.concurrent.each(sampled(attacks, 2))(
  "before the session %s is refused, and would be pushed without the check",
  async (what, exitCode, words, hostile) => {
    const autopilot = hostile.list && { tasks: { min_count: 2, max_count: 2, auto_commit: false } };
    await using run = await createTravellingRun({
      turns: [say(answer)],
      ...(autopilot && { autopilot }),
    });
    const { project, remoteGit } = run;
    const bundle = await runHostile(run, hostile);
    const checkout = run.machine("publisher");
    const refused = await project.ralphIn(checkout, "publish", "--bundle", bundle, "--no-pr");
    expect(refused.stderr).toMatch(words);
    expect(refused.exitCode).toBe(exitCode);
    expect(remoteGit("for-each-ref", `refs/heads/${itemBranch}`)).toBe("");

    const proof = await project.ralphIn(checkout, "audit", bundle, "--prove");
    expect(proof.exitCode).toBe(hostile.room ?? exitCode);

    // Believing the start commit as that of a plain run.
    rmSync(join(bundle, "autopilot.json"));
    const { branch } = await publishSession(project.system, {
      ...{ bundle, checkout: project.root, staysDraft: true, comments: false },
      remote: { url: `file://${remoteGit("rev-parse", "--absolute-git-dir")}`, allowsFiles: true },
      trust: {
        ...{ revisions: [itemBranch], config: ".ralph/ralph.yml" },
        ...{ branch: itemBranch, tasks: ".ralph/prd.json" },
      },
      ...{ proof: "in_place", acceptsInPlace: true, log: () => {} },
    });
    expect(branch?.kind, what).toBe("pushed");
  },
  120_000,
);
