import { actionReference, workflowReference } from "./published-addresses.ts";
import { yamlText } from "./yaml-text.ts";

type WorkflowOptions = {
  /** Commands that a fresh runner needs before the project's own. */
  tools: readonly string[];
  /** The project's folder below the repository's root, empty for the root. */
  prefix: string;
  /** Path of the configuration, unless it is the default. */
  config: string | undefined;
};

/** The workflow that runs the task list on GitHub: nightly and by hand, with one secret. Pure. */
export function renderWorkflow({ tools, prefix, config }: WorkflowOptions): string {
  const [action = "", version = ""] = actionReference.split("@");
  const lines = tools.map((tool) => `        ${tool}\n`).join("");
  const setup = lines === "" ? "" : `      setup: |\n${lines}`;
  // A caller of its own: a workflow with several of them needs a name for each one's artifacts.
  const suffix = yamlText(prefix.replaceAll("/", "-"));
  const folder =
    prefix === ""
      ? ""
      : `      working-directory: ${yamlText(prefix)}\n      artifact-suffix: ${suffix}\n`;
  const other = config === undefined ? "" : `      config: ${yamlText(config)}\n`;
  const group = prefix === "" ? "ralph" : `ralph-${prefix}`;
  return `# Works through the open tasks of the task list and opens a pull request: agents in a job without write access, their
# proof on a fresh machine, and only then the push. A run starts nothing and costs nothing while no task is open, while
# its pull request waits for you, and while the list holds only the example of \`ralph init\`.
# It needs the repository secret ANTHROPIC_API_KEY and the setting "Allow GitHub Actions to create and approve pull
# requests" (Settings > Actions > General).
name: ralph

on:
  schedule:
    - cron: "23 2 * * *" # every night, UTC; remove this line to start only by hand
  workflow_dispatch:
    inputs:
      resume-from:
        description: Id of the workflow run whose session to continue
        default: ""

permissions: {}

# Two runs at the same time would work on the same tasks.
concurrency:
  group: ${yamlText(group)}
  cancel-in-progress: false

jobs:
  ralph:
    permissions:
      contents: write # pushes its own branch
      pull-requests: write # opens the pull request
      checks: write # one check run with the outcome
      actions: write # starts the run that continues a session
    uses: ${action}/.github/workflows/ralph.yml@${version}
    with:
      budget-usd: "10" # US dollars a session may cost
${setup}${folder}${other}      resume-from: \${{ inputs.resume-from }}
    secrets:
      anthropic-api-key: \${{ secrets.ANTHROPIC_API_KEY }}
`;
}

type AppWorkflowOptions = {
  /** Commands that a fresh runner needs before the project's own. */
  tools: readonly string[];
};

/** The workflow that the App starts: it takes exactly the App's inputs, and its run name identifies the run. Pure. */
export function renderAppWorkflow({ tools }: AppWorkflowOptions): string {
  const setup =
    tools.length === 0
      ? ""
      : `      setup: |\n${tools.map((tool) => `        ${tool}\n`).join("")}`;
  return `# ralph's GitHub App starts this workflow for a label, a comment, a report or the schedule in
# .ralph/ralph.yml. It needs the repository secret ANTHROPIC_API_KEY.
name: ralph
run-name: ralph-run:\${{ inputs.run-id }}

on:
  workflow_dispatch:
    inputs:
${inputs.map(([name, description]) => `      ${name}:\n        description: ${yamlText(description)}\n        type: string\n        default: ""\n`).join("")}
permissions: {}

# No concurrency group: the App claims the work of each run, and a group would drop waiting runs.
jobs:
  ralph:
    # The permissions of all jobs in the called workflow. The job with the agents only reads.
    permissions:
      contents: write
      issues: read
      pull-requests: write
      checks: write
      actions: write
    uses: ${workflowReference("autopilot")}
    with:
      # An autopilot run chooses among the reports; any other run works on its issue.
      issue-number: \${{ inputs.command != 'autopilot' && inputs.issue-number || '' }}
      resume-from: \${{ inputs.resume-from }}
      orders: \${{ inputs.orders }}
      claim: \${{ inputs.claim }}
      publisher: \${{ inputs.publisher }}
${setup}    secrets:
      anthropic-api-key: \${{ secrets.ANTHROPIC_API_KEY }}
`;
}

/** The inputs that the App sends. By hand, only the issue number is useful. */
const inputs: readonly (readonly [name: string, description: string])[] = [
  ["command", "autopilot: work on the newest report, even if an issue is named."],
  ["issue-number", "Number of the issue to work on. Empty: the newest report."],
  ["resume-from", "Id of the workflow run whose session to continue."],
  ["orders", "Ids of comments that steer the run."],
  ["run-id", "The App's id of this run."],
  ["publisher", "Who opens the pull request. Empty: this workflow."],
  ["claim", "The App's claim for this run."],
];
