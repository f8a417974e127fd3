import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { stringify } from "yaml";
import { thorough } from "../setup/sampled.ts";
import { createActionProject } from "../support/action/project.ts";
import { writes } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";
import { branch } from "../support/project/project.ts";

const checkout = {
  uses: "actions/checkout@v6",
  with: { "fetch-depth": "0", "persist-credentials": "false" },
};
const digest = `\${{ needs.agents.outputs.digest }}`;

type Job = { needs?: string[]; env?: Record<string, string>; with: Record<string, string> };

const job = ({ needs = [], env = {}, with: inputs }: Job) => ({
  "runs-on": "ubuntu-24.04",
  permissions: writes,
  ...(needs.length > 0 && { needs }),
  if: "!cancelled()",
  outputs: {
    digest: `\${{ steps.ralph.outputs.journal-digest }}`,
    code: `\${{ steps.ralph.outputs.exit-code }}`,
  },
  steps: [
    checkout,
    {
      id: "ralph",
      uses: "org/ralph-action@v1",
      env: { RALPH_JOURNAL_DIGEST: digest, ...env },
      with: { ...inputs, sandbox: "off" },
    },
  ],
});

const verify = (...needs: string[]) => job({ needs, with: { command: "prove" } });

const publish = (proof: string, ...needs: string[]) =>
  job({
    needs: ["agents", ...needs],
    env: { RALPH_PROOF_LEVEL: "clean-room", RALPH_PROOF: proof },
    with: { mode: "publish" },
  });

const workflow = stringify({
  on: { workflow_dispatch: {} },
  permissions: {},
  jobs: {
    agents: job({ with: { mode: "run" } }),
    room: verify("agents"),
    again: verify("agents", "room"),
    garbled: publish('{"kind":"proved"}', "again"),
    empty: publish("", "garbled"),
  },
});

thorough(
  "two jobs may prove in one attempt; an unreadable proof is exit 2, and no proof means proved in place",
  async () => {
    await using github = await createActionProject({
      tasks: [task("T-001", { requiresTests: false })],
      mayActionsOpenPulls: true,
    });
    await using result = await github.run(workflow);
    const named = (name: string) => {
      const found = result.jobs.find((each) => each.name === name);
      return { conclusion: found?.conclusion, log: found?.log.join("\n") ?? "", found };
    };
    expect(named("room").conclusion, named("room").log).toBe("success");
    expect(named("again").conclusion, named("again").log).toBe("success");
    const left = readdirSync(result.artifacts).map((name) => name.replace(/-\d+-\d+$/, ""));
    expect(left.toSorted()).toEqual(["ralph-proof", "ralph-session"]);

    const garbled = named("garbled");
    expect(garbled.conclusion).toBe("failure");
    expect(garbled.found?.outputs).toMatchObject({ code: "2" });
    expect(garbled.log).toContain("RALPH_PROOF is not a readable result of the clean room");

    const empty = named("empty");
    expect(empty.conclusion, empty.log).toBe("success");
    expect(empty.log).toContain("The session is published as proved in place.");
    const [pull, ...others] = github.state.pulls;
    expect(others).toEqual([]);
    expect(pull).toMatchObject({ head: { ref: branch } });
    expect(pull?.body).not.toContain("clean room");
  },
);
