import type { DetectedProject } from "../detect/detect-project.ts";
import type { FoundService } from "../detect/find-services.ts";
import type { FoundGate, FoundSetup } from "../detect/part.ts";
import { schemaAddress } from "./published-addresses.ts";
import { type RalphPaths, ralphPathsIn } from "./ralph-paths.ts";
import { yamlText } from "./yaml-text.ts";

/** Wide defaults, for unknown projects (compatibility 1.12). */
const usualTestPaths = ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"];

const usualPaths = ralphPathsIn(".ralph");

/** `.ralph/ralph.yml` with comments that teach and only commands that can run; without a gate, an example. Pure. */
export function renderConfig(detected: DetectedProject, paths: RalphPaths = usualPaths): string {
  const { found, setup, gates, testPaths, baseBranch } = detected;
  const sections = [
    header(found),
    'version: "1"',
    section("The task list.", [
      "task_source:",
      "  type: prd_json",
      `  path: ${yamlText(paths.tasks)}`,
    ]),
    setup.length > 0 ? setupSection(setup) : "",
    gates.length > 0 ? gatesSection(detected) : noGates(detected),
    detected.template === "fullstack" ? servicesSection(detected.services) : "",
    section("The only files the test-writing agent may change.", [
      "test_paths:",
      ...items(testPaths.length > 0 ? testPaths : usualTestPaths),
    ]),
    agentsSection,
    sandboxSection,
    limitsSection,
    section("Work branches start here, and pull requests merge into it.", [
      "git:",
      `  base_branch: ${yamlText(baseBranch)}`,
    ]),
    paths.progress === usualPaths.progress ? "" : memorySection(paths),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const memorySection = ({ tasks, progress, archive }: RalphPaths) =>
  section("Files beside this one.", [
    "autopilot:",
    `  tasks: { output: ${yamlText(tasks)} }`,
    `  memory: { progress: ${yamlText(progress)}, archive: ${yamlText(archive)} }`,
  ]);

const header = (found: readonly string[]) =>
  [
    `# yaml-language-server: $schema=${schemaAddress("config")}`,
    "# The configuration of ralph. Every key and its default: the README of ralph. To check it: ralph validate",
    `# Written for: ${found.join("; ") || "an unknown project"}`,
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
    "Prepare a fresh checkout. A step runs again when a file in its cache list changes.";
  return section(comment, ["setup:", ...lines]);
}

const gatesComment = [
  "# Your commands decide when a task is done: exit code 0 passes. build: fast gates, in every iteration;",
  "# full: all gates, before a task passes. More keys of a gate: when (skip it if no such file exists),",
  "# fatal: false (warn only), baseline: repair (red now; the tasks make it green) or allow (may stay red).",
];

/** A gate may need a program that only its own script names, so nothing but a run shows that it works. */
const unproved =
  "# These gates were written without being run: `ralph scan` runs each and shows which are red.";

function gatesSection({ gates, remarks }: DetectedProject): string {
  const fast = gates.filter(({ role }) => role === "lint" || role === "typecheck");
  const isSplit = fast.length > 0 && fast.length < gates.length;
  const build = isSplit ? ["  build:", ...fast.flatMap(gateLines)] : [];
  return [
    ...gatesComment,
    unproved,
    ...remarks.map((remark) => `# Note: ${remark}`),
    "gates:",
    ...build,
    "  full:",
    ...gates.flatMap(gateLines),
  ].join("\n");
}

const gateLines = ({ name, cmd, timeoutSeconds, redBecause }: FoundGate): string[] => [
  `    - name: ${name}`,
  `      cmd: ${yamlText(cmd)}`,
  ...(timeoutSeconds === undefined ? [] : [`      timeout_seconds: ${timeoutSeconds}`]),
  ...(redBecause === undefined
    ? []
    : [`      baseline: allow # ${redBecause}; remove this line afterwards`]),
];

const noGates = ({ testExample, remarks }: DetectedProject): string =>
  [
    ...gatesComment,
    "#",
    "# ATTENTION: no command was found that checks this project, so ONLY CRITERIA AND A REVIEW decide when a",
    "# task is done.",
    ...remarks.map((remark) => `# Note: ${remark}`),
    "# Add at least your tests here, instead of []:",
    "#   full:",
    "#     - name: test",
    `#       cmd: ${yamlText(testExample)}`,
    "#       timeout_seconds: 600",
    "gates:",
    "  full: []",
  ].join("\n");

/** One test that needs no knowledge of the project, to show the form. */
const uiLines = [
  "# Tests of the user interface, in Chromium. enabled: true runs them after the last task of each run;",
  "# `ralph verify --ui` runs them now.",
  "ui:",
  "  agent_browser:",
  "    enabled: false",
  "    tests:",
  "      - name: app_loads",
  "        action: open",
];

const exampleService = [
  "services:",
  "  backend:",
  '    start: { dev: "node server.js {port}" }',
  "    port: 8000",
  "    health: [/health]",
];

/** Servers that ralph starts for criteria such as `GET /health returns 200`, and for `ralph verify`. */
function servicesSection(services: readonly FoundService[]): string {
  const comment =
    "# The servers of this project: ralph starts them for API and browser criteria, and for `ralph verify`.";
  if (services.length === 0) {
    const example = [...exampleService, ...uiLines.filter((line) => !line.startsWith("#"))];
    return [
      comment,
      "# None was recognised; an example:",
      ...example.map((line) => `# ${line}`),
    ].join("\n");
  }
  return [comment, "services:", ...services.flatMap(serviceLines), ...uiLines].join("\n");
}

const serviceLines = ({ name, port, dev, prod, build }: FoundService) => [
  `  ${name}:`,
  ...(build === undefined ? [] : [`    build: ${yamlText(build)}`]),
  `    ${name === "frontend" ? "serve" : "start"}:`,
  `      dev: ${yamlText(dev)}`,
  ...(prod === undefined ? [] : [`      prod: ${yamlText(prod)}`]),
  `    port: ${port}`,
  "    timeout: 60",
];

const agentsSection = `# The agent programs and models. The default is the program \`claude\` with its own default model.
# Others: codex, gemini. \`ralph run --agent codex\` uses one for all roles.
# agents:
#   implementation: { driver: claude, model: opus }
#   test_writing: { model: sonnet }
#   review: { model: sonnet }`;

const sandboxSection = `# Where the sandbox works, agents reach their model, the registries of the project's package managers, and no other
# host. A run names the hosts they tried; list those that the work needs, as name, *.name or name:port.
sandbox:
  network:
    mode: cage
    allow: []`;

const limitsSection = `# When to stop. These values are the defaults. Durations are seconds, or 90s, 30m, 2h.
# limits:
#   max_iterations: 30
#   claude_timeout: 30m
#   max_runtime: null
#   budget_usd: null      # US dollars a run may cost`;
