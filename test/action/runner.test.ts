import { join } from "node:path";
import { expect, test } from "vitest";
import { createGitProject } from "../support/project/git.ts";
import { conclusionsOf, jobOf, runInline, workflowOf } from "../support/runner/inline.ts";
import { runAction } from "../support/runner/run-workflow.ts";

const files = {
  "greet/action.yml": `
name: Greet
description: Says hello.
inputs:
  who: { description: Whom, default: "\${{ github.actor }}" }
  loud: { description: How }
outputs:
  text: { description: What was said, value: "\${{ steps.say.outputs.text }}" }
runs:
  using: composite
  steps:
    - id: say
      shell: bash
      env: { WHO: "\${{ inputs.who }}" }
      run: echo "text=hello $WHO from $OUTER in \${GITHUB_ACTION_PATH##*/}" >> "$GITHUB_OUTPUT"
    - uses: ./inner
    - if: failure()
      shell: bash
      run: echo never
`,
  "inner/action.yml": `
name: Inner
description: Leaves a variable.
runs:
  using: composite
  steps:
    - shell: sh
      run: echo "LEFT=by inner" >> "$GITHUB_ENV"
`,
};

test("steps see outputs, variables and folders that steps before them left in their files", async () => {
  await using result = await runInline(
    workflowOf(`
- id: one
  shell: bash
  run: |
    { echo 'text<<END'; echo "it's"; echo "a 'b' = c"; echo END; echo plain=1=2; } >> "$GITHUB_OUTPUT"
    echo "KEPT=yes" >> "$GITHUB_ENV"
    mkdir bin; printf '#!/bin/sh\\necho tool' > bin/tool; chmod +x bin/tool; echo "$PWD/bin" >> "$GITHUB_PATH"
    echo "# Done" >> "$GITHUB_STEP_SUMMARY"
- shell: bash
  env: { TEXT: "\${{ steps.one.outputs.text }}|\${{ steps.one.outputs.plain }}|\${{ env.KEPT }}" }
  run: echo "$TEXT $KEPT $(tool) \${{ steps.one.outcome == 'success' && 'fine' }}"`),
  );
  const job = jobOf(result);
  expect(job.conclusion).toBe("success");
  expect(job.rawLog).toEqual(["it's", "a 'b' = c|1=2|yes yes tool fine"]);
  expect(job.summary).toBe("# Done\n");
});

test("nothing of this process's environment reaches a step", async () => {
  await using result = await runInline(
    workflowOf("- run: env | cut -d= -f1 | sort | tr '\\n' ' '"),
  );
  const names = jobOf(result).rawLog.join("").split(" ");
  // Node runs the programs of tests from what it has compiled before.
  const own =
    /^(?:NODE_COMPILE_CACHE|(?:GITHUB|RUNNER)_\w+|CI|HOME|PATH|PWD|SHLVL|_|__CF_USER_TEXT_ENCODING)?$/;
  expect(names.filter((name) => !own.test(name))).toEqual([]);
  expect(names).not.toContain("GITHUB_TOKEN");
});

test("after a failed step only steps with a matching condition run, unless it may fail", async () => {
  await using result = await runInline(
    workflowOf(`
- { run: exit 3, continue-on-error: true }
- { run: "false | true", shell: bash }
- run: echo skipped
- { if: failure(), run: echo failure }
- { if: "\${{ always() && github.actor == 'ada' }}", run: echo always }
- { if: cancelled(), run: echo cancelled }
- { if: "'always()' == github.actor", run: echo text }`),
  );
  const job = jobOf(result);
  expect(conclusionsOf(job)).toEqual([
    ...["success", "failure", "skipped", "success", "success", "skipped", "skipped"],
  ]);
  expect(job.steps[0]?.outcome).toBe("failure");
  expect(job.rawLog).toEqual(["failure", "always"]);
  expect([job.conclusion, result.conclusion]).toEqual(["failure", "failure"]);
});

test("composite actions get inputs with defaults, nest, and pass on outputs and variables", async () => {
  await using result = await runInline(
    workflowOf(`
- uses: actions/checkout@v6
- id: greet
  uses: ./greet
  env: { OUTER: outside }
  with: { WHO: Bob, typo: x }
- run: echo "\${{ steps.greet.outputs.text }}, $LEFT, \${OUTER-gone}"`),
    { files },
  );
  const job = jobOf(result);
  expect(job.rawLog).toEqual(["hello Bob from outside in greet, by inner, gone"]);
  expect(job.annotations.map(({ message }) => message)).toEqual([
    "Unexpected input(s) 'typo', valid inputs are ['who', 'loud']",
  ]);
  expect(job.steps[1]?.steps.map(({ conclusion }) => conclusion)).toEqual([
    ...["success", "success", "skipped"],
  ]);
});

test("one action can be run by itself", async () => {
  await using project = await createGitProject(files);
  const options = { repository: project.root, with: { who: "Eve" } };
  await using job = await runAction(join(project.root, "greet"), options);
  expect(job.steps.at(-1)?.outputs).toEqual({ text: "hello Eve from  in greet" });
});

test("secrets and masked values are not in the log, and do not leave the job", async () => {
  await using result = await runInline(
    `
on: workflow_dispatch
jobs:
  work:
    runs-on: ubuntu-latest
    outputs: { leak: "\${{ steps.s.outputs.leak }}", fine: "\${{ steps.s.outputs.fine }}" }
    steps:
      - id: s
        run: |
          v=hunter; echo "::add-mask::\${v}2"
          echo "a \${v}2 \${{ secrets.KEY }} b" | tee "$GITHUB_STEP_SUMMARY"
          echo "leak=\${{ secrets.KEY }}!" >> "$GITHUB_OUTPUT"; echo fine=1 >> "$GITHUB_OUTPUT"
`,
    { secrets: { KEY: "s3cret-key" } },
  );
  const job = jobOf(result);
  expect(job.log.join("\n")).not.toMatch(/s3cret|a hunter2/);
  expect(job.summary).toBe("a *** *** b\n");
  expect(job.rawLog).toContain("a hunter2 s3cret-key b");
  expect(job.outputs).toEqual({ fine: "1" });
});

test("commands in the output are executed as a runner does, until they are stopped", async () => {
  await using result = await runInline(
    workflowOf(`
- run: |
    echo "::error file=a.ts,line=3,title=Odd%3A one::first%0Asecond"
    echo "  ::warning::spaces before"
    printf 'x ##[notice]old form\\rafter a carriage return\\n'
    echo "not ::error::at the begin"
    echo "::stop-commands::t0ken-123"
    echo "::error::stopped"
    echo "::t0ken-123::"
    echo "::group::Part"; echo "::endgroup::"
    for n in 1 2 3 4 5 6 7 8 9 10 11; do echo "::error::$n"; done
- run: echo "::set-env name=A::b"
- { if: always(), run: "echo 'A=1\\nB<<X\\n' >> \\"$GITHUB_ENV\\"", shell: "sh -c '. {0}'" }`),
  );
  const job = jobOf(result);
  expect(job.annotations.slice(0, 4)).toEqual([
    {
      level: "error",
      message: "first\nsecond",
      properties: { file: "a.ts", line: "3", title: "Odd: one" },
    },
    { level: "warning", message: "spaces before", properties: {} },
    { level: "notice", message: "old form", properties: {} },
    { level: "error", message: "1", properties: {} },
  ]);
  expect(job.annotations.filter(({ message }) => /^\d+$/.test(message))).toHaveLength(9);
  expect(job.log).toEqual(expect.arrayContaining(["after a carriage return", "::error::stopped"]));
  expect(job.log).toContain("##[group]Part");
  expect(conclusionsOf(job)).toEqual(["success", "failure", "failure"]);
});

test("a workflow that GitHub would reject does not start", async () => {
  await expect(runInline(workflowOf("- run: echo\n  shel: bash"))).rejects.toThrow(
    "Unexpected value 'shel'",
  );
  await expect(runInline(workflowOf(`- run: echo \${{ secret.A }}`))).rejects.toThrow("secret");
  await using result = await runInline(workflowOf("- uses: some/thing@v1"));
  expect(jobOf(result).annotations[0]?.message).toBe("There is no stand-in for some/thing@v1.");
});

test("the event, defaults and contexts are those of the run", async () => {
  await using result = await runInline(
    workflowOf(
      `
- { run: mkdir -p a/b; touch a/b/x, working-directory: . }
- run: echo "$(basename "$PWD") $GITHUB_REPOSITORY $TOP $(grep -c ralph "$GITHUB_EVENT_PATH")"
- run: echo "\${{ hashFiles('**/x') != '' }} \${{ runner.temp }} \${{ github.event.label.name }}"`,
      `env: { TOP: "\${{ vars.V }}" }\ndefaults: { run: { shell: sh, working-directory: a/b } }`,
    ),
    { vars: { V: "v1" }, github: { repository: "acme/shop", event: { label: { name: "ralph" } } } },
  );
  const job = jobOf(result);
  expect(job.rawLog).toEqual(["b acme/shop v1 1", `true ${job.temp} ralph`]);
});
