import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { withoutPull, writes } from "../action/workflow.ts";

/** This repository: the action as it is published. */
const home = new URL("../../../", import.meta.url).pathname;
const secret = (name: string) => `\${{ secrets.${name} }}`;

const modelKeys = {
  "anthropic-api-key": secret("anthropic"),
  "claude-code-oauth-token": secret("oauth"),
  "openai-api-key": secret("openai"),
};

/**
 * What users do wrong: the credential of the checkout stays on disk, a token is there for the whole job, and it lies in
 * two files as well.
 */
const careless = {
  "runs-on": "ubuntu-24.04",
  permissions: writes,
  env: { NPM_TOKEN: secret("npm") },
};
const npmrc = `for file in ~/.npmrc "$RUNNER_TEMP/.npmrc"; do echo "//r/:_authToken=$NPM_TOKEN" >"$file"; done`;

const steps = (given: Record<string, string>, env: Record<string, string> = {}) => [
  { uses: "actions/checkout@v6", with: { "fetch-depth": "0", token: secret("checkout") } },
  { run: npmrc },
  { id: "ralph", uses: "org/ralph-action@v1", with: given, env },
];

const workflow = (jobs: Record<string, object>) => stringify({ on: "workflow_dispatch", jobs });

/** Everything in the job `all`, called as the program `agent`. */
export const inOneJob = (agent: string, given: Record<string, string> = {}) =>
  workflow({
    all: {
      ...careless,
      steps: steps({ ...modelKeys, ...withoutPull, "agent-command": agent, ...given }),
    },
  });

/** The jobs `agents`, `verify` and `publish`, one after the other. */
export function inThreeJobs(agent: string): string {
  const digest = { RALPH_JOURNAL_DIGEST: `\${{ needs.agents.outputs.digest }}` };
  const work = { ...modelKeys, mode: "run", "agent-command": agent };
  return workflow({
    agents: {
      ...careless,
      outputs: { digest: `\${{ steps.ralph.outputs.journal-digest }}` },
      steps: steps(work),
    },
    verify: { ...careless, needs: "agents", steps: steps({ command: "prove" }, digest) },
    publish: {
      ...careless,
      needs: ["agents", "verify"],
      steps: steps({ mode: "publish", ...withoutPull }, digest),
    },
  });
}

/** The action without what keeps the model keys out of the run step's environment and arguments, in `folder`. */
export function writeCarelessAction(folder: string): string {
  for (const name of ["dist", "src"]) symlinkSync(join(home, name), join(folder, name));
  const text = readFileSync(join(home, "action.yml"), "utf8");
  const careful = /exec env -u RALPH_KEY_ANTHROPIC(?:.*\\\n)+ *("\$RALPH_NODE" \S+ run)/;
  if (!careful.test(text)) throw new Error("action.yml does not start the run step as it did.");
  writeFileSync(join(folder, "action.yml"), text.replace(careful, 'exec $1 "$keys"'));
  return folder;
}
