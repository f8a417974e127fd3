import type { ReadFiles, System } from "../../platform/system.ts";
import type { Detected } from "../detect/detect-project.ts";
import type { ProjectPlace } from "../detect/locate-place.ts";
import { readTextFile } from "../detect/read-text.ts";
import { extendGitignore } from "./gitignore.ts";
import { keptPaths, type OwnPaths, pathsBelow } from "./own-paths.ts";
import { checkPlanned, type PlannedFile } from "./planned-file.ts";
import { fillAgentsMd } from "./render-agents-md.ts";
import { renderConfig } from "./render-config.ts";
import { renderExampleTasks } from "./render-tasks.ts";
import { renderWorkflow } from "./render-workflow.ts";

export type FileOptions = {
  /** Folder for our own files, below the project root. */
  output: string;
  force: boolean;
  agentsMd: boolean;
  prd: boolean;
  workflow: boolean;
  /** What AGENTS.md and the progress log start with. */
  starts: { agentsMd: string; progress: string };
};

type Given = { place: ProjectPlace; detected: Detected; options: FileOptions };

/** Every file `init` stands for, rendered and checked by the validators that will read it. Writes nothing. */
export async function planFiles(
  system: Pick<System, "files">,
  given: Given,
): Promise<PlannedFile[]> {
  const { place, options } = given;
  const files = system.files(place.root);
  const paths = pathsBelow(options.output);
  const kept = options.force ? undefined : await keptPaths(files, paths.config);
  const { tasks, progress } = kept ?? paths;
  const planned = [
    configFile(given, paths),
    ...(options.prd && tasks !== undefined ? [await taskFile(files, given, tasks)] : []),
    progressFile(given, progress),
    ...(options.agentsMd ? [agentsMdFile(given)] : []),
    ...(options.workflow ? [workflowFile(given, paths)] : []),
    ...(await gitignoreFile(system, given)),
  ];
  return planned.map(checkPlanned);
}

function configFile({ place, detected }: Given, paths: OwnPaths): PlannedFile {
  return {
    base: place.root,
    path: paths.config,
    kind: "config",
    purpose: "how to work: setup, gates, limits",
    content: renderConfig(detected, paths),
  };
}

async function taskFile(files: ReadFiles, given: Given, path: string): Promise<PlannedFile> {
  return {
    base: given.place.root,
    path,
    kind: "tasks",
    purpose: "what to do: an example task to replace",
    content: renderExampleTasks(await exampleOf(files, given.detected)),
  };
}

function progressFile({ place, options }: Given, path: string): PlannedFile {
  return {
    base: place.root,
    path,
    kind: "text",
    purpose: "what was done, for later runs",
    content: options.starts.progress,
  };
}

function agentsMdFile({ place, detected, options }: Given): PlannedFile {
  return {
    base: place.root,
    path: "AGENTS.md",
    kind: "text",
    purpose: "what agents should know",
    content: fillAgentsMd(options.starts.agentsMd, detected),
  };
}

/** The page of the example must be new: a criterion that is true already proves nothing. */
async function exampleOf(files: ReadFiles, { project, gates }: Detected) {
  const pages = ["docs/development.md", "docs/working-on-this-project.md", "docs/ralph-example.md"];
  const taken = await Promise.all(pages.map((path) => files.stat(path)));
  const file = pages.find((_, index) => taken[index] === undefined) ?? "docs/ralph-first-task.md";
  return { project, file, testCommand: gates.find(({ role }) => role === "test")?.cmd };
}

/** GitHub reads workflows at the repository's root only; each project of a repository gets its own. */
function workflowFile({ place, detected }: Given, { config }: OwnPaths): PlannedFile {
  const { root, worktree, prefix } = place;
  const suffix = prefix === "" ? "" : `-${prefix.replace(/[^A-Za-z0-9_-]+/g, "-")}`;
  return {
    base: worktree ?? root,
    path: `.github/workflows/ralph${suffix}.yml`,
    kind: "workflow",
    purpose: "runs on GitHub: every night and by hand",
    content: renderWorkflow({
      tools: detected.tools,
      prefix,
      config: config === ".ralph/ralph.yml" ? undefined : config,
    }),
  };
}

/** The session's files, and what setup steps install, must never be mistaken for work. */
async function gitignoreFile(
  { files }: Pick<System, "files">,
  { place, detected }: Given,
): Promise<PlannedFile[]> {
  const { root: base, worktree } = place;
  const text = (await readTextFile(files(base), ".gitignore")) ?? "";
  const isBelow = worktree !== undefined && worktree !== base;
  const inherited = isBelow ? await readTextFile(files(worktree), ".gitignore") : "";
  const entries = [".ralph-session/", ...detected.ignores];
  const content = extendGitignore(text, entries, inherited);
  if (content === undefined) return [];
  const purpose = "keeps session files and installed packages out of git";
  return [{ base, path: ".gitignore", kind: "extended", purpose, content }];
}
