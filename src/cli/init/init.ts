import { type Command, Option } from "commander";
import { RalphError } from "../../error.ts";
import { createPrompter, type Prompter } from "../../platform/input.ts";
import { detectProject, type Template, templates } from "../../scaffold/detect/detect-project.ts";
import { findProjectLocation } from "../../scaffold/detect/find-project-location.ts";
import { planFiles } from "../../scaffold/write/project-files.ts";
import { ralphPathsIn } from "../../scaffold/write/ralph-paths.ts";
import { writeFiles } from "../../scaffold/write/write-files.ts";
import { agentsMdTemplate } from "../../views/documents/agents-md.ts";
import { progressTemplate } from "../../views/documents/progress-txt.ts";
import { type Action, addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import { initJson, renderInit } from "./init-text.ts";

type InitOptions = {
  template: Template | "auto";
  force?: boolean;
  agentsMd: boolean;
  prd: boolean;
  workflow: boolean;
  output: string;
};

const help = `
Reads package.json, pyproject.toml and similar files, and writes gates that can
run in this project. On a terminal it asks two questions; with -t, --json or
--quiet, or in a script, it asks none. Existing files stay as they are. Exit 1:
all files exist already.

Examples:
  ralph init                  detect the project, ask, write
  ralph init -t python        do not ask about the stack
  ralph init --no-workflow    write no workflow for GitHub
  ralph init --force          replace all files; the old ones stay as .bak`;

/** `ralph init`: writes the files a project needs, fitted to the project. */
export function addInit(program: Command, host: CommandHost): void {
  const command = program
    .command("init")
    .summary("write the first files, fitted to the project")
    .description(
      "Writes .ralph/ralph.yml, .ralph/prd.json, .ralph/progress.txt, AGENTS.md, a workflow for GitHub and a line of .gitignore.",
    )
    .addOption(
      new Option("-t, --template <name>", "stack of the project")
        .choices(["auto", ...templates])
        .default("auto"),
    )
    .option("-f, --force", "replace existing files; the old ones stay as .bak")
    .option("--no-agents-md", "write no AGENTS.md")
    .option("--no-prd", "write no task list")
    .option("--no-workflow", "write no .github/workflows/ralph.yml")
    .option("-o, --output <folder>", "folder for ralph's own files", ".ralph")
    .addHelpText("after", help);
  addAction(command, host, init);
}

const init: Action<InitOptions> = async (context, given) => {
  const { system, output, directory, globals } = context;
  if (globals.config !== undefined) throw notToRead();
  const force = given.force === true;
  const location = await findProjectLocation(system, directory);
  const detect = (template: Template | undefined) =>
    detectProject(system.files(location.root), { ...location, template });
  const first = await detect(given.template === "auto" ? undefined : given.template);
  const choices = await choose(context, given, first.template);
  const detected = choices.template === first.template ? first : await detect(choices.template);
  const starts = { agentsMd: agentsMdTemplate, progress: progressTemplate };
  const options = { ...given, force, workflow: choices.workflow, starts };
  const planned = await planFiles(system, { location, detected, options });
  const written = await writeFiles(system, planned, { force });
  const { config } = ralphPathsIn(given.output);
  const outcome = { location, detected, written, directory, config };
  const there = [...written.kept, ...written.same];
  if (isNothing(written) && !force) throw allThere(there.map(({ path }) => path));
  return output.answer(initJson(outcome), renderInit(outcome));
};

/** Asks only on a terminal, and only for choices that no option makes. */
async function choose(
  { output, signal }: CommandContext,
  { template, workflow }: InitOptions,
  detected: Template,
): Promise<{ template: Template; workflow: boolean }> {
  const prompter = createPrompter();
  const isAsked = prompter.isTerminal && output.isTerminal && !output.wantsJson;
  if (!isAsked || output.level === "quiet") return { template: detected, workflow };
  const open = { template: template === "auto", workflow };
  return askChoices({ prompter, signal }, open, detected);
}

const isNothing = (written: { created: object[]; replaced: object[]; extended: object[] }) =>
  [written.created, written.replaced, written.extended].every(({ length }) => length === 0);

const notToRead = () =>
  new RalphError("config", {
    message: "`-c` names a configuration to read, but `init` writes one. Nothing was written.",
    remedy: "Name the folder for the configuration: `ralph init -o FOLDER`.",
  });

/** An error as in upstream (compatibility 1.17): a script sees that nothing was written. */
const allThere = (paths: readonly string[]) =>
  new RalphError("config", {
    message: `Nothing was written; all files exist already: ${paths.join(", ")}.`,
    remedy: "Continue with `ralph validate`, or replace the files with `ralph init --force`.",
  });

type Dialog = { prompter: Prompter; signal: AbortSignal };

/** Asks the `open` questions of `ralph init`. Ctrl-C writes nothing. */
export async function askChoices(
  asking: Dialog,
  open: { template: boolean; workflow: boolean },
  detected: Template,
): Promise<{ template: Template; workflow: boolean }> {
  try {
    return {
      template: open.template ? await askTemplate(asking, detected) : detected,
      workflow: open.workflow && (await askWorkflow(asking)),
    };
  } catch (error) {
    if (!asking.signal.aborted) throw error;
    throw new RalphError("cancelled", {
      message: "Cancelled; nothing was written.",
      remedy: "Run `ralph init` again when you are ready.",
    });
  }
}

async function askTemplate({ prompter, signal }: Dialog, detected: Template): Promise<Template> {
  for (;;) {
    const choices = templates.map((name) => (name === detected ? `[${name}]` : name)).join(", ");
    const answer = await prompter.question(`Template: ${choices}? `, signal);
    const chosen = templates.find((name) => name.startsWith(answer.toLowerCase()));
    if (answer === "") return detected;
    if (chosen) return chosen;
  }
}

async function askWorkflow({ prompter, signal }: Dialog): Promise<boolean> {
  const answer = await prompter.question(
    "Write a workflow that runs ralph on GitHub every night? [Y/n] ",
    signal,
  );
  return !/^n/i.test(answer);
}
