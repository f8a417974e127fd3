import { expect, test } from "vitest";
import { createGitProject } from "../support/project/git.ts";
import { conclusionsOf, jobOf, runInline, workflowOf } from "../support/runner/inline.ts";
import { runWorkflow, startWorkflow } from "../support/runner/run-workflow.ts";

test("a job waits for what it needs, and its condition decides after a failure", async () => {
  await using result = await runInline(`
on: workflow_dispatch
permissions: { contents: read }
jobs:
  last:
    needs: [list, bad]
    if: always()
    permissions: { issues: write }
    runs-on: ubuntu-latest
    steps: [{ run: "echo \${{ needs.list.outputs.n }} \${{ needs.bad.result }}" }]
  bad: { runs-on: ubuntu-latest, steps: [{ run: exit 1 }] }
  after: { needs: bad, runs-on: ubuntu-latest, steps: [{ run: echo no }] }
  later: { needs: [after, list], runs-on: ubuntu-latest, steps: [{ run: echo no }] }
  repair: { needs: after, if: failure(), runs-on: ubuntu-latest, steps: [{ run: echo yes }] }
  list:
    runs-on: ubuntu-latest
    outputs: { n: "\${{ steps.make.outputs.n }}" }
    steps: [{ id: make, run: 'echo "n=[1,2]" >> "$GITHUB_OUTPUT"; ls -A | wc -l' }]
  each:
    needs: list
    strategy: { matrix: { n: "\${{ fromJSON(needs.list.outputs.n) }}", os: [a] } }
    runs-on: ubuntu-latest
    steps: [{ run: "echo \${{ matrix.n }}\${{ matrix.os }}" }]
`);
  expect(result.jobs.map(({ name }) => name).sort()).toEqual([
    ...["bad", "each (1, a)", "each (2, a)", "last", "list", "repair"],
  ]);
  expect(result.results).toMatchObject({ after: "skipped", later: "skipped", each: "success" });
  expect(jobOf(result, "last")).toMatchObject({
    rawLog: ["[1,2] failure"],
    permissions: { issues: "write" },
  });
  expect(jobOf(result, "each (2, a)").rawLog).toEqual(["2a"]);
  expect(jobOf(result, "list").permissions).toEqual({ contents: "read" });
  expect(result.conclusion).toBe("failure");
});

test("a called workflow gets only its inputs, and returns outputs", async () => {
  const called = `
on:
  workflow_call:
    inputs: { name: { type: string, required: true }, loud: { type: boolean } }
    secrets: { key: { required: true } }
    outputs: { said: { value: "\${{ jobs.say.outputs.said }}" } }
jobs:
  say:
    runs-on: ubuntu-latest
    permissions: { contents: read }
    outputs: { said: "\${{ steps.s.outputs.said }}" }
    steps:
      - id: s
        env: { KEY: "\${{ secrets.key }}", OTHER: "\${{ secrets.OTHER }}" }
        run: echo "said=\${{ inputs.name }} \${{ inputs.loud }} \${#KEY} \${#OTHER}" >> "$GITHUB_OUTPUT"
`;
  await using project = await createGitProject({ ".github/workflows/say.yml": called });
  const caller = (permissions: string) => `
on: workflow_dispatch
permissions: ${permissions}
jobs:
  call:
    uses: ./.github/workflows/say.yml
    with: { name: Ada }
    secrets: { key: "\${{ secrets.KEY }}" }
  show: { needs: call, runs-on: ubuntu-latest, steps: [{ run: "echo \${{ needs.call.outputs.said }}" }] }
`;
  const options = { repository: project.root, secrets: { KEY: "12345", OTHER: "678" } };
  await using result = await runWorkflow(caller("{ contents: write }"), options);
  expect(jobOf(result, "show").rawLog).toEqual(["Ada false 5 0"]);
  expect(jobOf(result, "call / say").permissions).toEqual({ contents: "read" });
  await expect(runWorkflow(caller("{}"), options)).rejects.toThrow("only allowed 'contents: none'");
});

test("jobs exchange artifacts, without hidden files", async () => {
  await using result = await runInline(`
on: workflow_dispatch
jobs:
  one:
    runs-on: ubuntu-latest
    steps:
      - run: mkdir -p out/a .h; echo 1 > out/a/x; echo 2 > out/.hidden
      - { uses: actions/upload-artifact@v6, with: { name: kept, path: out } }
      - { uses: actions/upload-artifact@v6, continue-on-error: true, with: { name: kept, path: out } }
  two:
    needs: one
    runs-on: ubuntu-latest
    steps:
      - { uses: actions/download-artifact@v6, with: { name: kept, path: in } }
      - run: find . -type f
`);
  expect(jobOf(result, "two").rawLog).toEqual(["./in/a/x"]);
  expect(jobOf(result, "one").annotations.at(-1)?.message).toContain("Conflict");
});

test.each([
  ["", 1],
  ["false", 0],
])(
  "a checkout is a clone; persist-credentials: '%s' leaves %i credential files",
  async (persist, count) => {
    await using project = await createGitProject();
    const source = workflowOf(`
- uses: actions/checkout@v6
  with: { persist-credentials: "${persist}", fetch-depth: 0 }
- run: git log --format=%s; git branch --show-current; ls "$RUNNER_TEMP" | grep -c credentials || true`);
    await using result = await runWorkflow(source, { repository: project.root });
    expect(jobOf(result).rawLog).toEqual(["start", "main", String(count)]);
  },
);

const patience = { interruptMs: 1500, terminateMs: 1500, drainMs: 300 };

test("a cancelled job signals only the entry process, then runs the steps that always run", async () => {
  const source = workflowOf(`
- run: |
    trap 'echo entry was told; exit 0' INT
    (trap 'echo child was told >&2' INT TERM; echo ready; sleep 30 & wait) &
    wait; wait
- run: echo not reached
- { if: cancelled(), run: "echo \${{ job.status }}" }
- { if: always(), run: echo always }`);
  const result = await cancelWhen("ready", source);
  const job = jobOf(result);
  expect(conclusionsOf(job)).toEqual(["cancelled", "skipped", "success", "success"]);
  expect(job.rawLog.filter((line) => line !== "ready")).toEqual([
    ...["entry was told", "cancelled", "always"],
  ]);
  expect([job.conclusion, result.conclusion]).toEqual(["cancelled", "cancelled"]);
  if (process.platform === "linux") expect(job.orphans).toContain("sleep 30");
});

test("a step that ignores the signal is terminated, then killed, in a composite action, too", async () => {
  await using project = await createGitProject({
    "deaf/action.yml": `
name: Deaf
description: Ignores its inputs.
runs:
  using: composite
  steps:
    - shell: bash
      run: exec node -e 'for (const s of ["SIGINT", "SIGTERM"]) process.on(s, () => console.log(s)); console.log("ready"); setInterval(() => {}, 9999)'
    - if: always()
      shell: bash
      run: echo "clean-up \${{ job.status }}"
`,
  });
  const source = workflowOf("- uses: actions/checkout@v6\n- uses: ./deaf");
  const job = jobOf(await cancelWhen("ready", source, project.root));
  expect(job.rawLog).toEqual(["ready", "SIGINT", "SIGTERM", "clean-up cancelled"]);
  expect(job.steps[1]).toMatchObject({
    conclusion: "cancelled",
    steps: [{ conclusion: "cancelled" }, { conclusion: "success" }],
  });
});

async function cancelWhen(word: string, source: string, repository?: string) {
  await using project = await createGitProject();
  const ready = Promise.withResolvers<void>();
  const onLine = (line: string) => line === word && ready.resolve();
  const options = { repository: repository ?? project.root, patience, onLine };
  await using running = await startWorkflow(source, options);
  await Promise.race([ready.promise, running.result]);
  running.cancel();
  return running.result;
}

test("steps and jobs end when their time is over", async () => {
  await using result = await runInline(
    `
on: workflow_dispatch
jobs:
  step: { runs-on: ubuntu-latest, steps: [{ run: exec sleep 20, timeout-minutes: 1 }] }
  job:
    runs-on: ubuntu-latest
    timeout-minutes: 1
    steps: [{ run: exec sleep 20 }, { if: always(), run: echo always }]
`,
    { patience: { ...patience, minuteMs: 200 } },
  );
  expect(jobOf(result, "step")).toMatchObject({
    conclusion: "failure",
    annotations: [{ message: "The action has timed out." }],
  });
  expect(jobOf(result, "job")).toMatchObject({ conclusion: "cancelled", rawLog: ["always"] });
});
