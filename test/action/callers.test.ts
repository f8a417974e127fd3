import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runsAll } from "../setup/sampled.ts";
import { createActionProject } from "../support/action/project.ts";
import { task } from "../support/builders/session.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";

const list = (name: string) =>
  JSON.stringify({
    ...{ project: "Example", branchName: `ralph/${name}`, description: "One of two lists" },
    tasks: [task("T-001")],
  });

/** One workflow run that calls the reusable workflow for each list, on machines and in an environment of its own. */
const caller = `
on: workflow_dispatch
permissions: {}
jobs:
  ralph:
    strategy: { fail-fast: false, matrix: { list: [a, b] } }
    permissions: { contents: write, pull-requests: write, checks: write, actions: write }
    uses: org/ralph-action/.github/workflows/ralph.yml@v1
    with:
      prd-json: .ralph/\${{ matrix.list }}.json
      artifact-suffix: \${{ matrix.list }}
      runs-on: '["self-hosted", "linux"]'
      environment: agents
`;

test.runIf(hasBubblewrap && runsAll)(
  "two callers in one run keep, prove and publish their own sessions, on the machines they name",
  async () => {
    const files = { ".ralph/a.json": list("a"), ".ralph/b.json": list("b") };
    const config = { limits: { open_prs: 2 } };
    await using github = await createActionProject({ files, config, mayActionsOpenPulls: true });
    const sudo = join(github.project.folder, "bin/sudo");
    writeFileSync(sudo, "#!/bin/sh\n");
    chmodSync(sudo, 0o755);
    const env = { PATH: `${github.project.folder}/bin:${process.env.PATH}` };
    await using result = await github.run(caller, { env });
    const log = result.jobs.flatMap((job) => [`== ${job.name}`, ...job.log]).join("\n");
    expect(result.conclusion, log).toBe("success");
    expect(github.state.pulls.map(({ head, draft }) => [head.ref, draft]).sort()).toEqual([
      ["ralph/a", false],
      ["ralph/b", false],
    ]);
    expect(readdirSync(result.artifacts)).toEqual([
      ...["ralph-proof-1001-1-a", "ralph-proof-1001-1-b"],
      ...["ralph-session-1001-1-a", "ralph-session-1001-1-b"],
    ]);
    expect(result.jobs).toHaveLength(8);
    for (const { name, runsOn, environment } of result.jobs) {
      expect(runsOn, name).toEqual(["self-hosted", "linux"]);
      expect(environment, name).toBe(/Work|Publish/.test(name) ? "agents" : "");
    }
  },
);
