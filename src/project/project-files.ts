import { normalize } from "node:path/posix";
import { RalphError } from "../error.ts";
import { readConfig } from "../system/config-file.ts";
import type { Files, System } from "../system/system.ts";
import type { Detected } from "./detect-project.ts";
import { extendGitignore } from "./gitignore.ts";
import type { ProjectPlace } from "./locate-place.ts";
import { pathIn } from "./part.ts";
import { checkPlanned, type PlannedFile } from "./planned-file.ts";
import { readText } from "./read-text.ts";
import { fillAgentsMd } from "./render-agents-md.ts";
import { renderConfig } from "./render-config.ts";
import { renderTasks } from "./render-tasks.ts";
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
  const folder = outputFolder(options.output);
  const config = configPath(options.output);
  const kept = options.force ? undefined : await pathsOfKept(files, config);
  const beside = { tasks: pathIn(folder, "prd.json"), progress: pathIn(folder, "progress.txt") };
  const own = await ownFiles(files, { ...given, config, ...beside, ...kept });
  const workflow = options.workflow ? [workflowFile(given, config)] : [];
  const ignored = await gitignoreFile(system, given);
  return [...own, ...workflow, ...ignored].map(checkPlanned);
}

/** Where the configuration is written. A folder outside the project is refused. */
export const configPath = (output: string) => pathIn(outputFolder(output), "ralph.yml");

function outputFolder(output: string): string {
  const folder = normalize(output).replace(/\/$/, "");
  if (folder !== "." && !/^(?:\/|~|\.\.(?:\/|$))|[\\\p{Cc}]/u.test(folder)) return folder;
  throw new RalphError("config", {
    message: `--output ${JSON.stringify(output)} is not a folder inside the project.`,
    remedy: "Name one relative to the project's root, such as `--output .ralph`.",
  });
}

type Paths = { tasks: string | undefined; progress: string };

/** A configuration that stays decides where the other files are; a broken one decides nothing. */
async function pathsOfKept(files: Files, path: string): Promise<Paths | undefined> {
  try {
    const { config } = await readConfig(files, path);
    const { type, path: tasks } = config.task_source;
    const { progress } = config.autopilot.memory;
    return {
      tasks: type === "prd_json" ? normalize(tasks) : undefined,
      progress: normalize(progress),
    };
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}

async function ownFiles(
  files: Files,
  { place, detected, options, config, tasks, progress }: Given & Paths & { config: string },
): Promise<PlannedFile[]> {
  const base = place.root;
  const archive = pathIn(outputFolder(options.output), "archive");
  const paths = { tasks: tasks ?? ".ralph/prd.json", progress, archive };
  const planned: PlannedFile[] = [
    {
      ...{ base, path: config, kind: "config", purpose: "how to work: setup, gates, limits" },
      content: renderConfig(detected, paths),
    },
  ];
  if (options.prd && tasks !== undefined) {
    const purpose = "what to do: an example task to replace";
    const content = renderTasks(await exampleOf(files, detected));
    planned.push({ base, path: tasks, kind: "tasks", purpose, content });
  }
  const { starts } = options;
  const purpose = "what was done, for later runs";
  planned.push({ base, path: progress, kind: "text", purpose, content: starts.progress });
  if (options.agentsMd) {
    const content = fillAgentsMd(starts.agentsMd, detected);
    const about = "what agents should know";
    planned.push({ base, path: "AGENTS.md", kind: "text", purpose: about, content });
  }
  return planned;
}

/** The page of the example must be new: a criterion that is true already proves nothing. */
async function exampleOf(files: Files, { project, gates }: Detected) {
  const pages = ["docs/development.md", "docs/working-on-this-project.md", "docs/ralph-example.md"];
  const taken = await Promise.all(pages.map((path) => files.stat(path)));
  const file = pages.find((_, index) => taken[index] === undefined) ?? "docs/ralph-first-task.md";
  return { project, file, testCommand: gates.find(({ role }) => role === "test")?.cmd };
}

/** GitHub reads workflows at the repository's root only; each project of a repository gets its own. */
function workflowFile({ place, detected, options }: Given, config: string): PlannedFile {
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
      config: outputFolder(options.output) === ".ralph" ? undefined : config,
    }),
  };
}

/** The session's files, and what setup steps install, must never be mistaken for work. */
async function gitignoreFile(
  { files }: Pick<System, "files">,
  { place, detected }: Given,
): Promise<PlannedFile[]> {
  const { root: base, worktree } = place;
  const text = (await readText(files(base), ".gitignore")) ?? "";
  const isBelow = worktree !== undefined && worktree !== base;
  const inherited = isBelow ? await readText(files(worktree), ".gitignore") : "";
  const entries = [".ralph-session/", ...detected.ignores];
  const content = extendGitignore(text, entries, inherited);
  if (content === undefined) return [];
  const purpose = "keeps session files and installed packages out of git";
  return [{ base, path: ".gitignore", kind: "extended", purpose, content }];
}
