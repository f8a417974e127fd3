import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../../src/sources/config-file.ts";
import { thorough } from "../../setup/sampled.ts";
import { type AppGitHub, self } from "../../support/app/github.ts";
import {
  type AppOptions,
  ada,
  eventually,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { createGitProject } from "../../support/project/git.ts";

const manifest = JSON.stringify({
  name: "shop",
  scripts: { test: "vitest run", lint: "biome ci" },
});
const files = { "package.json": manifest, "package-lock.json": "{}", "src/a.js": "" };
const config = ".ralph/ralph.yml";
const workflow = ".github/workflows/ralph.yml";

interface Offered extends RunningTestApp {
  git: (...args: string[]) => string;
  welcome: () => Promise<void>;
}

/** A repository with the App newly installed. */
async function installed(
  given: Record<string, string> = files,
  options: AppOptions = {},
): Promise<Offered> {
  const project = await createGitProject(given);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bare = `${project.folder}/base/octo/example.git`;
  mkdirSync(dirname(bare), { recursive: true });
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, bare);
  const app = await startTestApp({ bare, ...options });
  app.github.files.clear();
  let installation = 3;
  const welcome = async () => {
    const repositories = [{ id: 7, full_name: "octo/example" }];
    // Another installation is another event.
    const id = installation++;
    await app.send("installation", { action: "created", installation: { id }, repositories });
    await settled(app.store);
  };
  return { ...app, git: (...args) => project.gitIn(bare, ...args), welcome };
}

const pullsOf = ({ github }: { github: AppGitHub }) => github.fake.state.pulls;

test("a repository gets one setup pull request with configuration and workflow, never a second", async () => {
  const app = await installed();
  await app.welcome();
  await eventually(() => expect(pullsOf(app)).toHaveLength(1));
  const [pull] = pullsOf(app);
  expect(pull).toMatchObject({ title: "Set up ralph", user: self, draft: false });
  expect(pull?.head.ref).toBe("ralph/setup");
  const changed = app.git("diff", "--name-only", "main", "ralph/setup").split("\n");
  expect(changed).toEqual([workflow, config]);
  const text = app.git("show", `ralph/setup:${config}`);
  const read = parseConfig(Buffer.from(text), config).config;
  expect(read.autopilot.enabled).toBe(true);
  expect(read.gates.full.map(({ cmd }) => cmd)).toEqual(["npm run lint", "npm test"]);
  const inputs = Object.keys(
    parse(app.git("show", `ralph/setup:${workflow}`)).on.workflow_dispatch.inputs,
  );
  expect(inputs).toEqual(expect.arrayContaining(["command", "run-id", "publisher", "claim"]));
  expect(pull?.body).toMatchInlineSnapshot(`
    "<!-- ralph:setup -->

    **Merge this to enable ralph; close it, and nothing happens.** ralph takes an issue or a report, lets a coding agent work on it task by task, proves each task with the commands below, and opens a pull request. It never merges anything.

    ### Files

    - \`.ralph/ralph.yml\`
    - \`.github/workflows/ralph.yml\`

    ### How ralph decides that a task is done

    Detected: \`Node (package.json, npm)\`. A task is done when all of these commands succeed, also on a fresh machine. Correct them in \`.ralph/ralph.yml\` if necessary.

    - \`lint\`: \`npm run lint\`
    - \`test\`: \`npm test\`

    ### After the merge

    1. Add the repository secret \`ANTHROPIC_API_KEY\` (Settings, Secrets and variables, Actions). The agents run in your own GitHub Actions with your own key; the App never sees it.
    2. Merge. There is no schedule until you set \`autopilot.schedule\`; a report that is pushed to \`reports/\` starts a run, unless \`triggers.reports\` is false.
    3. Add the label \`ralph\` to an issue, or write \`/ralph run\` in it. This needs write permission.
    4. ralph comments its progress in the issue; a pull request follows, first as a draft.

    ### Cost

    The model's provider charges your key, and GitHub Actions minutes are used. There is no limit in US dollars by default; in \`.ralph/ralph.yml\`, \`limits.budget_usd\` limits a run and \`limits.budget_usd_per_day\` a day. By default at most 10 runs start per day (\`limits.runs_per_day\`), and one pull request is open at a time (\`limits.open_prs\`).

    ### How to decline

    Close this pull request: it is not opened again, and nothing starts without \`.ralph/ralph.yml\`. Later, \`/ralph pause\` in any issue stops everything, and with \`autopilot.enabled: false\` only comments start runs.
    "
  `);
  await app.welcome();
  if (pull) pull.state = "closed";
  await app.welcome();
  expect(pullsOf(app)).toHaveLength(1);
});

test("without permission to write workflows the pull request shows the file to add by hand", async () => {
  const app = await installed();
  app.github.more = (asked, seen) =>
    asked.endsWith("/git/trees") && JSON.stringify(seen.body).includes(workflow)
      ? { status: 403, body: { message: "Resource not accessible by integration" } }
      : undefined;
  await app.welcome();
  await eventually(() => expect(pullsOf(app)).toHaveLength(1));
  expect(app.git("diff", "--name-only", "main", "ralph/setup")).toBe(config);
  const body = pullsOf(app)[0]?.body ?? "";
  expect(body).toContain("### One file to add by hand");
  expect(body).toContain("run-name: ralph-run:");
});

thorough("after a kill an existing branch gets its pull request", async () => {
  const app = await installed();
  let isCut = true;
  app.github.more = (asked) => {
    if (!isCut || asked !== "POST /repos/octo/example/pulls") return undefined;
    isCut = false;
    return { status: 400, body: { message: "Cut" } };
  };
  await app.welcome().catch(() => undefined);
  expect(await app.store.queue.counts()).toMatchObject({ dead: 0 });
  await eventually(() => expect(pullsOf(app)).toHaveLength(1));
  expect(app.git("log", "--format=%s", "main..ralph/setup")).toBe("chore: set up ralph");
});

const nothing: [string, Record<string, string>, object][] = [
  ["that has both files", { ...files, [config]: "version: '1'\n", [workflow]: "on: push\n" }, {}],
  ["that is archived", files, { archived: true }],
  ["that is a fork", files, { fork: true }],
  ["that is empty", files, { default_branch: "unborn" }],
];

test.each(nothing)("a repository %s gets no setup pull request", async (_, given, facts) => {
  const app = await installed(given);
  app.github.facts = { ...app.github.facts, ...facts };
  await app.welcome();
  expect(pullsOf(app)).toEqual([]);
  expect(app.git("branch", "--list")).toBe("* main");
});

test("an offer that became unnecessary while it waited is dropped", async () => {
  const app = await installed();
  const { facts } = app.github;
  // Another repository of the installation was faster.
  const data = { next: Date.now() + 5000 };
  await app.store.notes.put({ kind: "pace", id: "3", repository: "", at: 1, data });
  const welcomed = app.welcome();
  await eventually(async () => {
    const groups = ["work:7"];
    const jobs = await app.store.queue.list({ state: "ready", groups, limit: 9 });
    expect(jobs).toMatchObject([{ kind: "offer" }]);
  });
  expect(pullsOf(app)).toEqual([]);
  app.github.facts = { ...facts, archived: true };
  await welcomed;
  expect(pullsOf(app)).toEqual([]);
});

test("a person's own branch of that name is not touched", async () => {
  const app = await installed();
  app.git("branch", "ralph/setup", "main");
  await app.welcome();
  expect(pullsOf(app)).toEqual([]);
});

thorough("a repository with a configuration gets only the workflow", async () => {
  const app = await installed({ ...files, [config]: "version: '1'\n" });
  await app.welcome();
  expect(app.git("diff", "--name-only", "main", "ralph/setup")).toBe(workflow);
});

thorough(
  "`/ralph setup` opens the setup pull request at once, and again after a person has closed it",
  async () => {
    const app = await installed();
    const issue = { number: 12, state: "open", updated_at: "2026-01-20T10:00:00Z", user: ada };
    const ask = async (id: number) => {
      const comment = { id, body: "/ralph setup", user: ada };
      await app.send("issue_comment", { action: "created", issue, comment });
      await settled(app.store);
      return app.github.fake.state.comments.at(-1)?.body;
    };
    expect(await ask(1)).toContain("The setup pull request is open: #1.");
    expect(await ask(2)).toContain("is open: #1.");
    const [pull] = pullsOf(app);
    if (pull) pull.state = "closed";
    expect(await ask(3)).toContain("is open again: #1.");
    expect(pullsOf(app)).toMatchObject([{ state: "open" }]);
  },
);
