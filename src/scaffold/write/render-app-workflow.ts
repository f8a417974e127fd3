import { workflowReference } from "./published-addresses.ts";
import { yamlText } from "./yaml-text.ts";

type AppWorkflowOptions = {
  /** Commands that a fresh runner needs before the project's own. */
  tools: readonly string[];
};

/**
 * The workflow that the GitHub App starts: its inputs are exactly those the App sends, and its run name lets the App
 * recognise its own runs. Pure.
 */
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
