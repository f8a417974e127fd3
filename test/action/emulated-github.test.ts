import { expect, test } from "vitest";
import { type ActionProject, createActionProject } from "../support/action/project.ts";
import { appToken, token } from "../support/action/tokens.ts";
import { stepWorkflow } from "../support/action/workflow.ts";
import { jobOf, workflowOf } from "../support/runner/inline.ts";

type Asked = { method?: string; path: string; as?: string; body?: object };

async function ask({ server }: ActionProject, { method = "POST", path, as = token, body }: Asked) {
  const answer = await fetch(`${server.apiUrl}/repos/octo/example${path}`, {
    method,
    headers: { authorization: `Bearer ${as}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** A workflow with one job, which asks something of GitHub by its own token. */
const asking = (permissions: string, command: string) => `
on: workflow_dispatch
jobs:
  work:
    permissions: ${permissions}
    runs-on: ubuntu-latest
    steps:
      - { uses: actions/checkout@v6, with: { fetch-depth: 0, persist-credentials: "false" } }
      - env: { TOKEN: "\${{ github.token }}" }
        run: |
          ${command}
`;

const curl = (path: string) =>
  `curl -s -o /dev/null -w '%{http_code}\\n' -H "authorization: Bearer $TOKEN" "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY${path}"`;
const push = (change: string) =>
  `${change} && git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git push "\${GITHUB_SERVER_URL/:\\/\\//://x:$TOKEN@}/octo/example.git" HEAD:refs/heads/mine 2>&1 || echo refused`;

test("a job's token may do what the permissions of its job name, and nothing else", async () => {
  await using github = await createActionProject();
  await using result = await github.run(
    asking("{ pull-requests: read }", `${curl("/pulls")}; ${curl("/actions/workflows")}`),
  );
  expect(jobOf(result).rawLog).toEqual(["200", "403"]);
});

test("a dispatch is answered from the workflow file at the ref", async () => {
  await using github = await createActionProject({
    files: {
      ".github/workflows/ralph.yml": stepWorkflow(),
      ".github/workflows/plain.yml": "on: { workflow_dispatch: }\njobs: {}\n",
      ".github/workflows/push.yml": "on: push\njobs: {}\n",
    },
  });
  const dispatch = (file: string, ref = "main") =>
    ask(github, {
      path: `/actions/workflows/${file}/dispatches`,
      body: { ref, inputs: { "resume-from": "7" } },
    });
  expect(await dispatch("ralph.yml")).toMatchObject({ status: 204 });
  expect(await dispatch("plain.yml")).toMatchObject({
    status: 422,
    text: expect.stringContaining("Unexpected inputs provided"),
  });
  expect(await dispatch("push.yml")).toMatchObject({
    status: 422,
    text: expect.stringContaining("does not have 'workflow_dispatch' trigger"),
  });
  expect(await dispatch("ralph.yml", "absent")).toMatchObject({ status: 404 });
  expect(github.dispatched).toHaveLength(1);
});

test("Actions open no pull request until the repository allows it, and CI waits for approval", async () => {
  await using github = await createActionProject();
  const permissions = "{ pull-requests: write, actions: read }";
  const opening = `curl -s -o /dev/null -w '%{http_code}\\n' -H "authorization: Bearer $TOKEN" -d '{"head":"h","base":"main","title":"t","body":"b"}' "$GITHUB_API_URL/repos/octo/example/pulls"`;
  const ci = `curl -s -H "authorization: Bearer $TOKEN" "$GITHUB_API_URL/repos/octo/example/actions/runs?head_sha=0" | grep -o action_required`;
  const workflow = asking(permissions, `${opening}; ${ci}`);
  await using refusedRun = await github.run(workflow);
  expect(jobOf(refusedRun).rawLog).toEqual(["403", "action_required"]);
  github.settings.mayActionsOpenPulls = true;
  await using allowedRun = await github.run(workflow);
  expect(jobOf(allowedRun).rawLog).toEqual(["201", "action_required"]);
  const body = { head: "i", base: "main", title: "t", body: "b" };
  expect(await ask(github, { path: "/pulls", as: appToken, body })).toMatchObject({
    status: 201,
    text: expect.stringContaining("our-app[bot]"),
  });
  const runs = { method: "GET", path: "/actions/runs?head_sha=1", as: appToken };
  expect((await ask(github, runs)).text).toContain("queued");
});

test.each([
  ["a job without `contents: write` pushes nothing", "{ contents: read }", "touch x", /403|denied/],
  [
    "a job's token pushes no changed workflow file",
    "{ contents: write }",
    "mkdir -p .github/workflows && echo on: push >.github/workflows/x.yml",
    /without `workflows` permission/,
  ],
])("%s", async (_, permissions, change, says) => {
  await using github = await createActionProject();
  await using result = await github.run(asking(permissions, push(change)));
  expect(jobOf(result).rawLog.join("\n")).toMatch(says);
  expect(github.remoteGit("branch", "--list", "mine")).toBe("");
});

test("a checkout has the branches that earlier runs pushed", async () => {
  await using github = await createActionProject();
  await using _ = await github.run(asking("{ contents: write }", push("touch x")));
  const list = "- uses: actions/checkout@v6\n  with: { fetch-depth: 0 }\n- run: git branch -r";
  await using result = await github.run(workflowOf(list), { runId: "1002" });
  expect(jobOf(result).rawLog.join("\n")).toContain("origin/mine");
});
