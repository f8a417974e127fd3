import { actionReference } from "./published-addresses.ts";
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
  const steps = tools.map((tool) => `      - run: ${yamlText(tool)}\n`).join("");
  const folder = prefix === "" ? "" : `          working-directory: ${yamlText(prefix)}\n`;
  const other = config === undefined ? "" : `          config: ${yamlText(config)}\n`;
  const group = prefix === "" ? "ralph" : `ralph-${prefix}`;
  return `# Works through the open tasks of the task list and opens a pull request. It does nothing and costs nothing
# while no task is open. It needs the repository secret ANTHROPIC_API_KEY and the setting "Allow GitHub Actions to
# create and approve pull requests" (Settings > Actions > General). To start from reports or issues, see
# "From a report or an issue" in the README of ralph.
name: ralph

on:
  workflow_dispatch:
  schedule:
    - cron: "23 2 * * *" # every night, UTC; remove this line to start only by hand

permissions: {}

# Two runs at the same time would work on the same tasks.
concurrency:
  group: ${yamlText(group)}
  cancel-in-progress: false

jobs:
  ralph:
    runs-on: ubuntu-24.04
    timeout-minutes: 360
    permissions:
      contents: write # pushes its own branch
      pull-requests: write # opens the pull request
      checks: write # one check run with the outcome
      actions: read # checks whether CI has started
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          fetch-depth: 0
          persist-credentials: false
${steps}      - uses: ${actionReference}
        with:
${folder}${other}          anthropic-api-key: \${{ secrets.ANTHROPIC_API_KEY }}
`;
}
