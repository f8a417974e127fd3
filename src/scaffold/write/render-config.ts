import type { DetectedProject } from "../detect/detect-project.ts";
import type { FoundGate, FoundSetup } from "../detect/part.ts";
import { schemaAddress } from "./published-addresses.ts";
import { type RalphPaths, ralphPathsIn } from "./ralph-paths.ts";
import { yamlText } from "./yaml-text.ts";

/** The widest defaults, for projects nothing is known of (compatibility 1.12). */
const usualTestPaths = ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"];

const usualPaths = ralphPathsIn(".ralph");

/**
 * `.ralph/ralph.yml` for a project as it was found, with comments that teach. Only commands that can run stand
 * in it: without a single gate it says so, and shows what one looks like. Pure.
 */
export function renderConfig(detected: DetectedProject, paths: RalphPaths = usualPaths): string {
  const { found, setup, gates, testPaths, baseBranch } = detected;
  const sections = [
    header(found),
    'version: "1"',
    section("What to do.", [
      "task_source:",
      "  type: prd_json",
      `  path: ${yamlText(paths.tasks)}`,
    ]),
    setup.length > 0 ? setupSection(setup) : "",
    gates.length > 0 ? gatesSection(detected) : noGates(detected),
    section("The only files the test-writing agent may change.", [
      "test_paths:",
      ...items(testPaths.length > 0 ? testPaths : usualTestPaths),
    ]),
    agentsSection,
    limitsSection,
    section("Work branches off here, and pull requests go back to it.", [
      "git:",
      `  base_branch: ${yamlText(baseBranch)}`,
    ]),
    paths.progress === usualPaths.progress ? "" : memorySection(paths),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const memorySection = ({ tasks, progress, archive }: RalphPaths) =>
  section("These are kept beside this file.", [
    "autopilot:",
    `  tasks: { output: ${yamlText(tasks)} }`,
    `  memory: { progress: ${yamlText(progress)}, archive: ${yamlText(archive)} }`,
  ]);

const header = (found: readonly string[]) =>
  [
    `# yaml-language-server: $schema=${schemaAddress("config")}`,
    "# How ralph works in this repository. Every key and its default: the README of ralph. Check: ralph validate",
    `# Written for: ${found.join("; ") || "nothing that was recognised"}`,
  ].join("\n");

const section = (comment: string, lines: readonly string[]) =>
  [`# ${comment}`, ...lines].join("\n");

const items = (values: readonly string[]) => values.map((value) => `  - ${yamlText(value)}`);

function setupSection(setup: readonly FoundSetup[]): string {
  const lines = setup.flatMap(({ name, cmd, cache }) => [
    `  - name: ${name}`,
    `    cmd: ${yamlText(cmd)}`,
    `    cache: [${cache.map((path) => yamlText(path)).join(", ")}]`,
  ]);
  const comment =
    "Prepares a fresh checkout; a step runs again when a file of its cache list changes.";
  return section(comment, ["setup:", ...lines]);
}

const gatesComment = [
  "# Your commands decide what is done: exit code 0 passes. build: fast ones, in every iteration;",
  "# full: all of them, before a task counts as passed. More keys of a gate: when (skip while no such",
  "# file exists), fatal: false (warn only), baseline: allow (may be red before the work starts).",
];

function gatesSection({ gates, remarks, variables }: DetectedProject): string {
  const fast = gates.filter(({ role }) => role === "lint" || role === "typecheck");
  const isSplit = fast.length > 0 && fast.length < gates.length;
  const build = isSplit ? ["  build:", ...fast.flatMap(gateLines)] : [];
  return [
    ...gatesComment,
    ...remarks.map((remark) => `# Note: ${remark}`),
    "gates:",
    ...environment(variables),
    ...build,
    "  full:",
    ...gates.flatMap(gateLines),
  ].join("\n");
}

const environment = (variables: readonly string[]) =>
  variables.length === 0
    ? []
    : [
        "  # Variables that gates and setup steps may see; by these the network is reached here.",
        `  env: [${variables.join(", ")}]`,
      ];

function gateLines({ name, cmd, timeoutSeconds, redBecause }: FoundGate): string[] {
  return [
    `    - name: ${name}`,
    `      cmd: ${yamlText(cmd)}`,
    ...(timeoutSeconds === undefined ? [] : [`      timeout_seconds: ${timeoutSeconds}`]),
    ...(redBecause === undefined
      ? []
      : [`      baseline: allow # ${redBecause}; then remove this`]),
  ];
}

function noGates({ testExample, remarks, variables }: DetectedProject): string {
  return [
    ...gatesComment,
    "#",
    "# ATTENTION: no command was found that checks this project, so NOTHING BUT CRITERIA AND A REVIEW decides",
    "# what is done.",
    ...remarks.map((remark) => `# Note: ${remark}`),
    "# Put at least your tests here, in location of []:",
    "#   full:",
    "#     - name: test",
    `#       cmd: ${yamlText(testExample)}`,
    "#       timeout_seconds: 600",
    "gates:",
    ...environment(variables),
    "  full: []",
  ].join("\n");
}

const agentsSection = `# Who does the work; without this, the program \`claude\` with its own default model.
# Others: codex, gemini; \`ralph run --agent codex\` tries one for all roles.
# agents:
#   implementation: { driver: claude, model: opus }
#   test_writing: { model: sonnet }
#   review: { model: sonnet }`;

const limitsSection = `# When to stop. The values here are the defaults; durations are seconds, or 90s, 30m, 2h.
# limits:
#   max_iterations: 30
#   claude_timeout: 30m
#   max_runtime: null
#   budget_usd: null      # US dollars a run may cost`;
