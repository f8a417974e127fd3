import { type Command, Option } from "commander";
import { RalphError } from "../../error.ts";
import { createPrompter, type Prompter } from "../../platform/prompter.ts";
import { detectProject, type Template, templates } from "../../scaffold/detect/detect-project.ts";
import { findProjectLocation } from "../../scaffold/detect/find-project-location.ts";
import { networkVariables } from "../../scaffold/detect/network-variables.ts";
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
Looks at package.json, pyproject.toml and the like, and writes only gates that can
run here. On a terminal it asks two questions; with -t, --json or --quiet, or in a
script, none. Files that exist are kept. Exit 1: all of them exist already.

Examples:
  ralph init                  look, ask, write
  ralph init -t python        no questions about the stack
  ralph init --no-workflow    without the workflow for GitHub
  ralph init --force          write all files anew; the old ones stay as .bak`;

/** `ralph init`: the files a project needs, made from what is there. */
export function addInit(program: Command, host: CommandHost): void {
  const command = program
    .command("init")
    .summary("write the first files, fitted to the project")
    .description(
      "Writes .ralph/ralph.yml, .ralph/prd.json, .ralph/progress.txt, AGENTS.md, a workflow for GitHub and a line of .gitignore.",
    )
    .addOption(
      new Option("-t, --template <name>", "what the project is made of")
        .choices(["auto", ...templates])
        .default("auto"),
    )
    .option("-f, --force", "replace existing files; the old ones stay as .bak")
    .option("--no-agents-md", "without AGENTS.md")
    .option("--no-prd", "without the task list")
    .option("--no-workflow", "without .github/workflows/ralph.yml")
    .option("-o, --output <folder>", "where ralph's own files go", ".ralph")
    .addHelpText("after", help);
  addAction(command, host, init);
}

const init: Action<InitOptions> = async (context, given) => {
  const { system, output, directory, globals } = context;
  if (globals.config !== undefined) throw notToRead();
  const force = given.force === true;
  const location = await findProjectLocation(system, directory);
  const { baseBranch, above } = location;
  const known = { baseBranch, above, variables: networkVariables(system.env) };
  const files = system.files(location.root);
  const template = given.template === "auto" ? undefined : given.template;
  const first = await detectProject(files, { ...known, template });
  const choices = await choose(context, given, first.template);
  const isSame = choices.template === first.template;
  const detected = isSame
    ? first
    : await detectProject(files, { ...known, template: choices.template });
  const starts = { agentsMd: agentsMdTemplate, progress: progressTemplate };
  const options = { ...given, force, workflow: choices.workflow, starts };
  const planned = await planFiles(system, { location, detected, options });
  const written = await writeFiles(system, planned, { force });
  const outcome = {
    location,
    detected,
    written,
    directory,
    config: ralphPathsIn(given.output).config,
  };
  const there = [...written.kept, ...written.same];
  if (isNothing(written) && !force) throw allThere(there.map(({ path }) => path));
  if (output.wantsJson) output.json(initJson(outcome));
  else output.result(renderInit(outcome));
  return 0;
};

/** Questions only where a person waits for them, and only about what the options leave open. */
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
    message: "`-c` names a configuration to read, and `init` writes one. Nothing was written.",
    remedy: "Name the folder for it instead: `ralph init -o FOLDER`.",
  });

/** As upstream (compatibility 1.17), so that a script sees that its call did nothing. */
const allThere = (paths: readonly string[]) =>
  new RalphError("config", {
    message: `Nothing was written, everything is there already: ${paths.join(", ")}.`,
    remedy: "Go on with `ralph validate`, or replace the files with `ralph init --force`.",
  });

type Asking = { prompter: Prompter; signal: AbortSignal };

/** The two questions of `ralph init`; what is not `open` is not asked. Ctrl-C: nothing is written. */
export async function askChoices(
  asking: Asking,
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

async function askTemplate({ prompter, signal }: Asking, detected: Template): Promise<Template> {
  for (;;) {
    const choices = templates.map((name) => (name === detected ? `[${name}]` : name)).join(", ");
    const answer = await prompter.question(`Template: ${choices}? `, signal);
    const chosen = templates.find((name) => name.startsWith(answer.toLowerCase()));
    if (answer === "") return detected;
    if (chosen) return chosen;
  }
}

async function askWorkflow({ prompter, signal }: Asking): Promise<boolean> {
  const answer = await prompter.question(
    "Write a workflow that runs ralph on GitHub every night? [Y/n] ",
    signal,
  );
  return !/^n/i.test(answer);
}
