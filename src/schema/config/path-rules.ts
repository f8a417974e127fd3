import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import type { ConfigRule, ConfigSketch } from "./config-sketch.ts";
import { gateLevels } from "./gates.ts";

/** Rules about paths and patterns. */
export const pathRules: ConfigRule[] = [
  sourceOfTasks,
  sharedFiles,
  unmatchablePatterns,
  boundlessPatterns,
  writableRoots,
];

const isPattern = (path: string) => /[*?]/.test(path);
const plain = (path: string) => path.replace(/^(?:\.\/)+/, "");

/** One JSON file, or Markdown by name or pattern (specs 004 2.3). */
function sourceOfTasks({ task_source }: ConfigSketch): Finding[] {
  if (!task_source) return [];
  const { type, path } = task_source;
  const isMarkdown = /\.(?:md|markdown)$/i.test(path);
  const at = ["task_source", "path"];
  if (type === "cr_markdown" && !isMarkdown) {
    return [errorAt(at, "is not a Markdown file (.md), which cr_markdown needs; or set prd_json")];
  }
  if (type === "cr_markdown") return [];
  if (isMarkdown) return [errorAt(at, "is a Markdown file; set type: cr_markdown")];
  return isPattern(path) ? [errorAt(at, "is a pattern; prd_json needs the name of one file")] : [];
}

/** The progress log must not be another file of ralph. */
function sharedFiles({ task_source, autopilot }: ConfigSketch): Finding[] {
  if (!autopilot) return [];
  const { tasks, memory } = autopilot;
  const progress = plain(memory.progress);
  const own = ["AGENTS.md", ".ralph/ralph.yml", ".ralph/guardrails.md"];
  const taken = [task_source?.path ?? "", tasks.output, ...own].map(plain);
  const message = `is ${progress}, which is another file of ralph; give the progress log its own`;
  const clash = taken.includes(progress)
    ? [errorAt(["autopilot", "memory", "progress"], message)]
    : [];
  const isRead = task_source === undefined || plain(task_source.path) === plain(tasks.output);
  if (isRead || !autopilot.enabled) return clash;
  const unread = `is ${tasks.output}, but \`ralph run\` reads task_source.path, which is ${task_source.path}`;
  return [...clash, warningAt(["autopilot", "tasks", "output"], unread)];
}

/** Patterns are compared with paths from the project root, so these never match. */
function unmatchablePatterns(config: ConfigSketch): Finding[] {
  const listed = (path: PropertyKey[], patterns: readonly string[] = []) =>
    patterns.map((pattern, index) => ({ path: [...path, index], pattern }));
  return [
    ...listed(["test_paths"], config.test_paths),
    ...listed(["protect", "allow"], config.protect?.allow),
    ...listed(["ui", "frontend_paths"], config.ui?.frontend_paths),
    ...conditions(config),
  ]
    .filter(({ pattern }) => /^!?~?\/|(?:^!?|\/)\.\.(?:\/|$)|\\[A-Za-z]/.test(pattern))
    .map(({ path, pattern }) => errorAt(path, unmatchable(pattern)));
}

const unmatchable = (pattern: string) =>
  `is "${pattern}", which matches no file; write it from the project root, with "/"`;

function conditions({ gates }: ConfigSketch): { path: PropertyKey[]; pattern: string }[] {
  return gateLevels.flatMap((level) =>
    (gates?.[level] ?? []).flatMap(({ when }, index) =>
      when === undefined ? [] : [{ path: ["gates", level, index, "when"], pattern: when }],
    ),
  );
}

const isBoundless = (pattern: string) => /^(?:\.\/)*\*\*(?:\/\*\*?)?$/.test(pattern);

/** Allowed, but with a warning: it removes the protection that the list gives. */
function boundlessPatterns({ test_paths = [], protect }: ConfigSketch): Finding[] {
  const warn = (path: PropertyKey[], patterns: readonly string[], message: string) =>
    patterns.flatMap((each, at) => (isBoundless(each) ? warningAt([...path, at], message) : []));
  return [
    ...warn(["test_paths"], test_paths, "lets the test-writing agent change every file"),
    ...warn(["protect", "allow"], protect?.allow ?? [], "lets agents change every protected file"),
  ];
}

function writableRoots({ sandbox }: ConfigSketch): Finding[] {
  return (sandbox?.writable ?? []).flatMap((path, index) => {
    const at = ["sandbox", "writable", index];
    if (path.split("/").includes("..")) return errorAt(at, 'must not hold ".."');
    return /^[/.]+$/.test(path)
      ? errorAt(at, "is the whole machine; name the folders that must stay writable")
      : [];
  });
}
