import { workflowReference } from "./published-addresses.ts";
import { yamlText } from "./yaml-text.ts";

type AppWorkflowOptions = {
  /** Commands a fresh runner needs before the project's own. */
  tools: readonly string[];
};

/**
 * The workflow the GitHub App starts: its inputs are exactly what the App sends, and its title is how the App knows its own
 * runs again. Pure.
 */
export function renderAppWorkflow({ tools }: AppWorkflowOptions): string {
  const setup =
    tools.length === 0
      ? ""
      : `      setup: |\n${tools.map((tool) => `        ${tool}\n`).join("")}`;
  return `# ralph's GitHub App starts this when somebody asks for it: by a label, a comment, a report or the schedule in
# .ralph/ralph.yml. Needed once: the repository secret ANTHROPIC_API_KEY.
name: ralph
run-name: ralph-run:\${{ inputs.run-id }}

on:
  workflow_dispatch:
    inputs:
${inputs.map(([name, words]) => `      ${name}:\n        description: ${yamlText(words)}\n        type: string\n        default: ""\n`).join("")}
permissions: {}

# No group of runs here: what the App has claimed for a run is nobody else's, and no run that waits is dropped.
jobs:
  ralph:
    # What the jobs of the called workflow ask for, each only its part; the one with the agents only reads.
    permissions:
      contents: write
      issues: read
      pull-requests: write
      checks: write
      actions: write
    uses: ${workflowReference("autopilot")}
    with:
      # An autopilot chooses among the reports; a run has the issue it was asked for.
      issue-number: \${{ inputs.command != 'autopilot' && inputs.issue-number || '' }}
      resume-from: \${{ inputs.resume-from }}
      orders: \${{ inputs.orders }}
      claim: \${{ inputs.claim }}
      publisher: \${{ inputs.publisher }}
${setup}    secrets:
      anthropic-api-key: \${{ secrets.ANTHROPIC_API_KEY }}
`;
}

/** What the App sends, each filled in by it; by hand only the number of an issue makes sense. */
const inputs: readonly (readonly [name: string, words: string])[] = [
  ["command", "Say autopilot to work on the newest report whatever else is filled in."],
  ["issue-number", "Number of the issue to work on. Nothing means the newest report."],
  ["resume-from", "Id of the workflow run whose session goes on."],
  ["orders", "Ids of comments that steer the run."],
  ["run-id", "The App's id of this run."],
  ["publisher", "Who opens the pull request. Nothing means this workflow itself."],
  ["claim", "What the App has claimed for this run."],
];
