import { counted } from "../run/counted.ts";

/** How a folder stands, as far as the next step depends on it. */
export type Situation =
  | { kind: "new"; lacksConfig: boolean; lacksTasks: boolean; branch: string }
  | { kind: "obstacle"; message: string; remedy: string }
  | { kind: "running"; session: string }
  | { kind: "unfinished"; session: string; because: string; next: string }
  | { kind: "open"; project: string; open: number; total: number }
  | { kind: "done"; project: string; total: number; branch: string };

/** The one next step and why, then where help is. Pure. */
export function renderWelcome(situation: Situation): string {
  return `${describe(situation)}\n\nHelp: ralph --help, ralph <command> --help`;
}

function describe(situation: Situation): string {
  switch (situation.kind) {
    case "new":
      return firstFiles(situation);
    case "obstacle":
      return `${situation.message}\n${situation.remedy}`;
    case "running":
      return step(`Session ${situation.session} is running.`, "ralph status --watch");
    case "unfinished":
      return `Session ${situation.session} is unfinished: ${situation.because}\n\n${situation.next}`;
    case "open": {
      const { project, open, total } = situation;
      return step(`${project}: ${open} of ${counted(total, "task")} still open.`, "ralph run");
    }
    case "done": {
      const { project, total, branch } = situation;
      const all = `${project}: all ${counted(total, "task")} passed.`;
      return `${step(all, `git push -u origin ${branch}`)}\nThen open a pull request for ${branch}.`;
    }
  }
}

const step = (what: string, command: string) => `${what}\n\nNext step:\n  ${command}`;

function firstFiles({
  lacksConfig,
  lacksTasks,
  branch,
}: Extract<Situation, { kind: "new" }>): string {
  const parts = [
    "ralph needs two files in this folder, .ralph/ralph.yml and .ralph/prd.json.",
    ...(lacksConfig
      ? [`Put this into .ralph/ralph.yml (how to work):\n\n${smallestConfig(branch)}`]
      : []),
    ...(lacksTasks ? [`Put this into .ralph/prd.json (what to do):\n\n${smallestTasks}`] : []),
    "Write your own test command and task instead of these, then:\n  ralph validate\n  ralph run",
  ];
  return parts.map((part) => part.trimEnd()).join("\n\n");
}

/** The least that works; `branch` is where the work branches off. */
export const smallestConfig = (branch: string) => `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
gates:
  full:
    - { name: test, cmd: npm test }
git: { base_branch: ${branch} }
`;

export const smallestTasks = `{
  "project": "My project",
  "description": "What this work is for",
  "tasks": [
    {
      "id": "T-001",
      "title": "Say hello",
      "description": "What to do, and why.",
      "acceptanceCriteria": ["File \`hello.txt\` exists"],
      "priority": 1,
      "passes": false
    }
  ]
}
`;
