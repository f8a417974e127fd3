import { join, relative } from "node:path/posix";
import type { DetectedProject } from "../../scaffold/detect/detect-project.ts";
import type { ProjectLocation } from "../../scaffold/detect/find-project-location.ts";
import type { PlannedFile, WrittenFiles } from "../../scaffold/write/write-files.ts";
import { configFile } from "../../schema/config/config.ts";

type InitOutcome = {
  location: ProjectLocation;
  detected: DetectedProject;
  written: WrittenFiles;
  /** Path of the configuration, relative to the project root. */
  config: string;
  /** The working directory. */
  directory: string;
};

/** Lists the detected tools, the written files and the next steps. Pure. */
export function renderInit(outcome: InitOutcome): string {
  const { location, detected, written, directory } = outcome;
  const { created, replaced, extended, kept, same } = written;
  const backups = replaced.map(({ file, backup }) => ({ ...file, purpose: `old file: ${backup}` }));
  const list = (title: string, files: readonly PlannedFile[]) => listFiles(location, title, files);
  const blocks = [
    [
      ...(location.root === directory ? [] : [`Project: ${location.root}`]),
      `Detected: ${detected.found.join("; ") || nothingFor(detected)}`,
      `Template: ${detected.template}`,
    ].join("\n"),
    list("Created:", created),
    list("Extended:", extended),
    list("Replaced:", backups),
    list("Kept as they are (--force replaces them):", kept),
    list("Up to date:", same),
    created.concat(backups).some(({ kind }) => kind === "config") ? gatesText(detected) : "",
    `Next steps:\n${followUps(outcome)
      .map((step, index) => `  ${index + 1}. ${step}`)
      .join("\n")}`,
  ];
  return blocks.filter(Boolean).join("\n\n");
}

const nothingFor = ({ template }: DetectedProject) =>
  template === "minimal" ? "no known toolchain" : `nothing that the template ${template} covers`;

/** All paths are relative to the project root, even that of a workflow above it. */
function listFiles({ root }: ProjectLocation, title: string, files: readonly PlannedFile[]) {
  if (files.length === 0) return "";
  const paths = files.map(({ base, path }) => relative(root, join(base, path)));
  const width = Math.max(...paths.map(({ length }) => length)) + 2;
  const lines = files.map(({ purpose }, index) => `  ${paths[index]?.padEnd(width)}${purpose}`);
  return [title, ...lines].join("\n");
}

function gatesText({ gates, remarks }: DetectedProject): string {
  const notes = remarks.map((remark) => `  ${remark}`);
  if (gates.length > 0) {
    const lines = gates.map(({ name, cmd }) => `  ${name}: ${cmd}`);
    return [
      "Gates (they decide when a task is done; none has been run yet):",
      ...lines,
      ...(notes.length > 0 ? ["Notes:"] : []),
      ...notes,
    ].join("\n");
  }
  return [
    "ATTENTION: there is no gate. No command was found that checks this project, so only a",
    "task's criteria and the review decide when it is done. Add your tests to the configuration.",
    ...notes,
  ].join("\n");
}

/** The next steps, in order. */
function followUps(outcome: InitOutcome): string[] {
  const { location, detected, written } = outcome;
  const changed = changedFiles(written);
  const ralph = outcome.config === configFile ? "ralph" : `ralph -c ${outcome.config}`;
  const config = changed.find(({ kind }) => kind === "config");
  const tasks = changed.find(({ kind }) => kind === "tasks");
  const workflow = changed.find(({ kind }) => kind === "workflow");
  const steps = [
    location.worktree === undefined && "git init            (ralph works on branches and commits)",
    written.replaced.length > 0 && "Compare the new files with their .bak, then delete those.",
    config && whatToRead(config, detected),
    tasks && `Replace the example in ${tasks.path} with your work, then: ${ralph} validate`,
    changed.length > 0 && `Commit; a run starts from a clean tree: ${commitCommand(outcome)}`,
    `${ralph} scan          (${detected.gates.length > 0 ? "runs every gate, and " : ""}shows what is missing on this machine)`,
    `${ralph} run --dry-run, then: ${ralph} run`,
    workflow && "For GitHub: gh secret set ANTHROPIC_API_KEY, then push.",
  ];
  return steps.filter((step) => typeof step === "string");
}

const changedFiles = ({ created, replaced, extended }: WrittenFiles) => [
  ...created,
  ...replaced.map(({ file }) => file),
  ...extended,
];

const whatToRead = ({ path }: PlannedFile, { gates }: DetectedProject) =>
  gates.length > 0
    ? `Read ${path}: every gate must pass on a fresh checkout.`
    : `Add a command that tests the project to ${path}, under gates.`;

/** Before the first commit the project's own files are not in git yet. */
function commitCommand({ location, written, directory }: InitOutcome): string {
  const paths = changedFiles(written).map(({ base, path }) =>
    relative(directory, join(base, path)),
  );
  const named = location.hasCommits ? paths.map(shellWord).join(" ") : "-A";
  return `git add ${named} && git commit -m "chore: add ralph"`;
}

const shellWord = (text: string) =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The same for programs. Paths are relative to `root`, those of workflows to the repository. */
export function initJson(outcome: InitOutcome): object {
  const { location, detected, written } = outcome;
  const { template, found, baseBranch, setup, gates, remarks } = detected;
  const paths = (files: readonly PlannedFile[]) => files.map(({ path }) => path);
  return {
    root: location.root,
    repository: location.worktree ?? null,
    template,
    detected: found,
    base_branch: baseBranch,
    setup: setup.map(({ cmd }) => cmd),
    gates: gates.map(({ name, cmd }) => ({ name, cmd })),
    created: paths(written.created),
    replaced: written.replaced.map(({ file, backup }) => ({ path: file.path, backup })),
    extended: paths(written.extended),
    kept: paths([...written.kept, ...written.same]),
    remarks,
    next: followUps(outcome),
  };
}
