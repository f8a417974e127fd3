import type { ReadFiles, System } from "../../platform/system.ts";
import { configFile } from "../../schema/config/config.ts";
import type { DetectedProject } from "../detect/detect-project.ts";
import type { ProjectLocation } from "../detect/find-project-location.ts";
import { readTextFile } from "../detect/read-optional.ts";
import { configuredPaths, type RalphPaths, ralphPathsIn } from "./ralph-paths.ts";
import { renderConfig } from "./render-config.ts";
import { renderExampleTasks } from "./render-prd.ts";
import { renderWorkflow } from "./render-workflow.ts";
import { checkPlanned, type PlannedFile } from "./write-files.ts";

type FileOptions = {
  /** Folder for ralph's own files, below the project root. */
  output: string;
  force: boolean;
  agentsMd: boolean;
  prd: boolean;
  workflow: boolean;
  /** Initial texts of AGENTS.md and the progress log. */
  starts: { agentsMd: string; progress: string };
};

type InitInput = { location: ProjectLocation; detected: DetectedProject; options: FileOptions };

/** Renders every file of `init` and validates it. Writes nothing. */
export async function planFiles(
  system: Pick<System, "files">,
  given: InitInput,
): Promise<PlannedFile[]> {
  const { location, detected, options } = given;
  const { root: base } = location;
  const files = system.files(base);
  const paths = ralphPathsIn(options.output);
  const kept = options.force ? undefined : await configuredPaths(files, paths.config);
  const { tasks, progress } = kept ?? paths;
  const example = renderExampleTasks(await exampleOf(files, detected));
  const agentsMd = fillAgentsMd(options.starts.agentsMd, detected);
  const own: [path: string | false | undefined, PlannedFile["kind"], string, string][] = [
    [paths.config, "config", "how to work: setup, gates, limits", renderConfig(detected, paths)],
    [options.prd && tasks, "tasks", "what to do: an example task to replace", example],
    [progress, "text", "what was done, for later runs", options.starts.progress],
    [options.agentsMd && "AGENTS.md", "text", "what agents should know", agentsMd],
  ];
  const planned = [
    ...own.flatMap(([path, kind, purpose, content]) =>
      path ? [{ base, path, kind, purpose, content }] : [],
    ),
    ...(options.workflow ? [workflowFile(given, paths)] : []),
    ...(await gitignoreFile(system, given)),
  ];
  return planned.map(checkPlanned);
}

/** The page of the example must not exist: a criterion that is already true proves nothing. */
async function exampleOf(files: ReadFiles, { project, gates }: DetectedProject) {
  const pages = ["docs/development.md", "docs/working-on-this-project.md", "docs/ralph-example.md"];
  const taken = await Promise.all(pages.map((path) => files.stat(path)));
  const file = pages.find((_, index) => taken[index] === undefined) ?? "docs/ralph-first-task.md";
  return { project, file, testCommand: gates.find(({ role }) => role === "test")?.cmd };
}

/** GitHub reads workflows only at the repository's root; each project of a repository gets its own workflow. */
function workflowFile({ location, detected }: InitInput, { config }: RalphPaths): PlannedFile {
  const { root, worktree, prefix } = location;
  const suffix = prefix === "" ? "" : `-${prefix.replace(/[^A-Za-z0-9_-]+/g, "-")}`;
  return {
    base: worktree ?? root,
    path: `.github/workflows/ralph${suffix}.yml`,
    kind: "workflow",
    purpose: "runs on GitHub: every night and by hand",
    content: renderWorkflow({
      tools: detected.tools,
      prefix,
      config: config === configFile ? undefined : config,
    }),
  };
}

/** Keeps session files and installed packages out of commits. */
async function gitignoreFile(
  { files }: Pick<System, "files">,
  { location, detected }: InitInput,
): Promise<PlannedFile[]> {
  const { root: base, worktree } = location;
  const text = (await readTextFile(files(base), ".gitignore")) ?? "";
  const isBelow = worktree !== undefined && worktree !== base;
  const inherited = isBelow ? await readTextFile(files(worktree), ".gitignore") : "";
  const entries = [".ralph-session/", ...detected.ignores];
  const content = extendGitignore(text, entries, inherited);
  if (content === undefined) return [];
  const purpose = "keeps session files and installed packages out of git";
  return [{ base, path: ".gitignore", kind: "extended", purpose, content }];
}

/** Appends the missing entries to a .gitignore; undefined when none is missing. Pure. */
export function extendGitignore(
  text: string,
  entries: readonly string[],
  inherited = "",
): string | undefined {
  const known = new Set(`${text}\n${inherited}`.split(/\r?\n/).map(normalise));
  const missing = entries.filter((entry) => !known.has(normalise(entry)));
  if (missing.length === 0) return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? end : `${end}${end}`;
  return text + gap + ["# ralph", ...missing].map((line) => `${line}${end}`).join("");
}

/** `/name`, `name/` and a leading `**` ignore the same folder of the root. */
const normalise = (line: string) =>
  line
    .trim()
    .replace(/^(?:\*\*)?\//, "")
    .replace(/\/$/, "");

/** Fills the sections of AGENTS.md about the project. Pure. */
export function fillAgentsMd(
  template: string,
  { technologies, layout }: Pick<DetectedProject, "technologies" | "layout">,
): string {
  const tree = layout.length > 0 ? ["```text", ...layout, "```"] : [];
  return fill(fill(template, "Technology Stack", technologies), "File Organization", tree);
}

function fill(text: string, title: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const heading = `## ${title}\n`;
  return text.replace(heading, () => `${heading}\n${lines.join("\n")}\n`);
}
