import { expect, test } from "vitest";
import { createProject } from "../support/project/project.ts";

/** Odd on purpose: a byte order mark, CRLF, another block before, an entry that says nothing about passing. */
const request = [
  "\uFEFF# CR: Greeting",
  "",
  '```json\n[{"id": "CR-HI-1", "passes": false}]\n```',
  "## Summary",
  "People are greeted.",
  "## Task list",
  "~~~ json",
  "[",
  '  {"id": "CR-HI-1", "category": "setup", "description": "Greet", "steps": ["It greets"], "passes" :  false},',
  '  {"id": "CR-HI-2", "category": "backend", "description": "Part", "steps": ["It parts"]}',
  "]",
  "~~~",
  '"passes" :  false',
  "",
].join("\r\n");

const source = (path: string) => ({ config: { task_source: { type: "cr_markdown", path } } });

test("a change request runs as it is, and only its passes are written back", async () => {
  const path = "changes/CR-HI.md";
  await using project = await createProject({ ...source(path), files: { [path]: request } });
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.session.source).toEqual({ type: "cr_markdown", path });
  expect(state.session.branch).toBe("ralph/hi");
  expect(project.commits()).toEqual(["feat(T-001): Greet", "feat(T-002): Part"]);
  const passed = request
    .replace('"It greets"], "passes" :  false', '"It greets"], "passes" :  true')
    .replace('["It parts"]', '["It parts"], "passes": true');
  expect(project.read(path)).toBe(passed);
  expect(project.git("show", `HEAD:${path}`)).toContain('"passes" :  true');
  expect(project.git("status", "--porcelain")).toBe("");
  expect((await project.ralph("audit")).exitCode).toBe(0);
  const again = await project.ralph("run", "--dry-run");
  expect(again.stdout).toMatch(/Nothing to do/);
});

test("of several the newest is taken: by its last commit, then by its name", async () => {
  const files = { "changes/CR-2.md": request, "changes/CR-10.md": request };
  await using project = await createProject({ ...source("changes/CR-*.md"), files });
  const planned = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await project.ralph("run", "--dry-run", "--json", ...args);
    return exitCode === 0 ? JSON.parse(stdout).project : stderr;
  };
  const name = (path: string, title: string) =>
    project.write(path, request.replace("Greeting", title));
  name("changes/CR-10.md", "Ten");
  name("changes/CR-2.md", "Two");
  project.git("commit", "-qam", "names");
  expect(await planned()).toBe("Ten");
  name("changes/CR-2.md", "Two again");
  project.git("commit", "-qam", "later", "--allow-empty");
  const dated = "GIT_COMMITTER_DATE=2099-01-01T00:00:00Z git commit -q --amend --no-edit";
  project.git("rebase", "-q", "--exec", dated, "HEAD~1");
  expect(await planned()).toBe("Two again");
  expect(await planned("--latest-cr")).toBe("Two again");
  expect(await planned("--cr", "changes/CR-10.md")).toBe("Ten");
  expect(await planned("--prd-json", ".ralph/prd.json")).toBe("Example");
  name("changes/CR-1.md", "New");
  expect(await planned()).toBe("New");
});

test("--latest-cr looks in changes/ when the configuration names a list in JSON", async () => {
  await using project = await createProject({ files: { "changes/CR-A.md": request } });
  const { stdout } = await project.ralph("run", "--dry-run", "--latest-cr");
  expect(stdout).toMatch(/Greeting: 2 tasks would run/);
});

const stories = `{
  "project": "Stories", "branchName": "ralph/stories",
  "userStories": [
    {"id": "US-001", "title": "First", "acceptanceCriteria": ["It works"], "priority": 1, "passes": false, "notes": ""},
    {"id": "US-002", "title": "Second", "acceptance": ["It works"], "priority": "low", "status": "open"}
  ]
}
`;

test("a list of another tool that stays where it is gets the passes under its own ids", async () => {
  const path = "scripts/ralph/prd.json";
  const config = { task_source: { type: "prd_json", path } };
  await using project = await createProject({ config, files: { [path]: stories } });
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.read(path)).toBe(
    stories.replace('"passes": false', '"passes": true').replace('"open"', '"done"'),
  );
  expect(project.git("status", "--porcelain")).toBe("");
});

test("an edited change request is adopted when the session continues", async () => {
  const path = "changes/CR-HI.md";
  const implementation = `if [ "$task" = T-002 ] && ! grep -q gently ${path}; then claim; else honest; fi`;
  const options = { ...source(path), files: { [path]: request }, agent: { implementation } };
  await using project = await createProject(options);
  expect((await project.run()).exitCode).toBe(3);
  project.write(path, project.read(path).replace("It parts", "It parts gently"));
  project.git("commit", "-qam", "easier");
  const { exitCode, facts, stderr } = await project.run("--resume");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(facts("tasks_reloaded")).toHaveLength(1);
  expect(project.read(path)).toMatch(
    /"It greets"\], "passes" : {2}true[\s\S]*gently"\], "passes": true/,
  );
});
