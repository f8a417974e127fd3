import { expect, test } from "vitest";
import { createProject } from "../../support/project/project.ts";

const story = (number: number, more: object = {}) => ({
  id: `US-${String(number).padStart(3, "0")}`,
  title: `Story ${number}`,
  description: "As a user I want it",
  acceptanceCriteria: ["Typecheck passes", "It opens"],
  priority: number,
  passes: false,
  notes: "",
  ...more,
});
const stories = (...given: object[]) =>
  JSON.stringify(
    { project: "p", branchName: "ralph/p", description: "d", userStories: given },
    null,
    2,
  );
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const byTeam = (header: string) =>
  `${header}\n\n# Task: Log in\n\n## Acceptance Criteria\n\n- It opens\n`;
const folder = "specs/auth/implementation/step01";

/** Files as people have published them, and the expected answers. */
const published: readonly [name: string, text: string, says: string | RegExp][] = [
  ["stories.json", stories(story(1, { passes: true }), story(2)), /2 tasks, 1 passed$/],
  [
    "chained.json",
    stories(...upTo(8).map((at) => story(at, at > 1 ? { dependsOn: [`US-00${at - 1}`] } : {}))),
    /8 tasks, 0 passed$/,
  ],
  [
    "thirty.json",
    stories(...upTo(30).map((at) => story(at, { passes: at < 11 }))),
    /30 tasks, 10 passed$/,
  ],
  [
    "scripts.json",
    stories(story(1, { title: "إضافة زر «الدفع»" }), story(2, { title: "添加“支付”按钮 🧾" })),
    /2 tasks, 0 passed$/,
  ],
  ["numbers.json", stories(story(1, { id: 1 }), story(2, { id: 2 })), /2 tasks, 0 passed$/],
  [
    "features.json",
    JSON.stringify([{ category: "style", description: "Dark", steps: ["Look"], passes: true }]),
    /1 tasks?, 1 passed$/,
  ],
  [
    "items.json",
    JSON.stringify({
      project: "c",
      items: [
        { id: 1, category: "feature", description: "d", stepsToVerify: ["See"], passes: false },
      ],
    }),
    /1 tasks?, 0 passed$/,
  ],
  [
    "texts.json",
    JSON.stringify({ tasks: [{ description: "Do", subtasks: ["one", "two"] }] }, null, 2),
    "6:9 tasks[0].subtasks[0] must be an object with id, title, acceptanceCriteria and passes, not text",
  ],
  ["twice.json", stories(story(1), story(1)), '19:7 userStories[1].id repeats "US-001" of entry 1'],
  [
    "words.json",
    stories(story(1, { passes: "false" })),
    "15:7 userStories[0].passes must be true or false, not text; remove the quotes",
  ],
  [
    "comma.json",
    '{"userStories": [{"id": "US-001",}]}',
    "1:34 a key in double quotes is expected here; look for a comma too many",
  ],
  [
    "mark.json",
    `\uFEFF${stories(story(1))}`,
    "1:1 starts with a byte order mark; save it as UTF-8 without one",
  ],
  ["fix_plan.md", "# Plan\n\n- [x] Set up\n- [ ] 登录\n", /^1:1 has no heading "## Task List"/],
  [`${folder}/a.code-task.md`, byTeam("## Status: DONE"), "a valid state file of agent-teams"],
  [
    `${folder}/b.code-task.md`,
    byTeam("---\nstatus: 'done'\n---"),
    "a valid state file of agent-teams",
  ],
  [
    `${folder}/c.code-task.md`,
    byTeam("**Status:** DONE"),
    "1: is not read as the status; write it as `## Status: …`",
  ],
  [
    `${folder}/d.code-task.md`,
    byTeam("## Status: Completed ✅"),
    /^1: the status is "Completed ✅"; it must be one of PENDING, /,
  ],
  [
    ".omc/ralph-state.json",
    '{"active": false, "iteration": 9, "prompt": "구현해"}',
    "a valid state file of omc",
  ],
  [
    ".claude/ralph/progress-p.json",
    JSON.stringify({
      ...{ plan_id: "p", phase: "initializing", agents_total: 1, agents_completed: 0 },
      ...{ agents_failed: 0, agents_active: 0, total_cost_usd: 0, budget_limit_usd: null },
      ...{ started_at: "2026-02-01T10:00:00Z", updated_at: "2026-02-01T10:00:00Z", agents: [] },
      performance: {
        avg_cost_per_agent: 0,
        avg_turns_per_agent: 0,
        avg_duration_seconds: 0,
        total_turns: 0,
      },
    }),
    /^1:\d+ phase is "initializing", which programs write before the first phase/,
  ],
];

type Place = { line?: number; column?: number; message: string };
type Checked = { file: string; problems: Place[]; warnings: Place[]; note: string };

const said = ({ line, column, message }: Place) => `${line}:${column ?? ""} ${message}`;

test("files as people have published them load, or are refused with the place and the reason", async () => {
  await using project = await createProject();
  for (const [name, text] of published) project.write(name, text);
  const names = published.map(([name]) => name);
  const { stdout } = await project.ralph("validate", ...names, "--json");
  const files: Checked[] = JSON.parse(stdout).files;
  expect(files.map(({ file }) => file)).toEqual(names);
  for (const [at, { file, problems, warnings, note }] of files.entries()) {
    const says = published[at]?.[2];
    expect([...problems, ...warnings].map(said).concat(note), file).toContainEqual(
      typeof says === "string" ? says : expect.stringMatching(says ?? /^$/),
    );
  }
});
