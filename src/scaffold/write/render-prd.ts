import { strictBranch } from "../../schema/tasks/foreign/words.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { schemaAddress } from "./published-addresses.ts";

/** A list written by ralph has a lower-case branch, even if the source had another one (compatibility 1.16). */
export function withStrictBranch(prd: Prd): Prd {
  const { branchName = "", ...rest } = prd;
  const strict = strictBranch(branchName);
  return strict === undefined || strict === branchName ? prd : { ...rest, branchName: strict };
}

/** The text of a converted task list. Pure. */
export function renderPrdFile(prd: Prd): string {
  const { project, branchName, description, ...rest } = withStrictBranch(prd);
  const list = { $schema: schemaAddress("prd"), project, branchName, description, ...rest };
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** The list with its original ids, which `ralph run` does not accept (compatibility 1.19). */
export function withOriginalIds(prd: Prd): Prd {
  const { idMap, ...metadata } = prd.metadata ?? {};
  const names = new Map(Object.entries(idMap ?? {}).map(([id, name]) => [id, String(name)]));
  const own = (id: string) => names.get(id) ?? id;
  const tasks = prd.tasks.map((task) => ({
    ...task,
    id: own(task.id),
    ...(task.dependsOn && { dependsOn: task.dependsOn.map(own) }),
  }));
  return { ...prd, metadata, tasks };
}

/** `.ralph/prd.json` with one example that explains how to write criteria. No scheduled run works on it. Pure. */
export function renderExampleTasks({
  project,
  file,
  testCommand,
}: {
  project: string;
  file: string;
  testCommand: string | undefined;
}): string {
  const list = {
    $schema: schemaAddress("prd"),
    project: project.slice(0, 200),
    branchName: "ralph/example",
    description: "An example: replace it with your own work, then run `ralph validate`",
    // Scheduled runs leave this example alone.
    metadata: { example: true },
    tasks: [
      {
        id: "T-001",
        title: "Example: write down how to work on this project",
        description: advice(file),
        acceptanceCriteria: [
          `File \`${file}\` exists`,
          ...(testCommand ? [`File \`${file}\` contains \`${testCommand}\``] : []),
          `${file} names the commands a newcomer needs to install, build and test the project`,
        ],
        priority: 1,
        passes: false,
        requiresTests: false,
      },
    ],
  };
  return `${JSON.stringify(list, null, 2)}\n`;
}

const advice = (file: string) =>
  [
    `Write ${file}: how to install, build and test this project, taken from its own files.`,
    "(For people: replace this example with your work. A description says what to do and why. A good criterion is one fact that is either true or false.",
    'ralph checks these forms itself: "Run `COMMAND` - exits with code 0", "File `PATH` exists", "File `PATH` contains `TEXT`".',
    'The reviewer judges all others, so name something visible ("A slug never contains punctuation"), not something vague ("works well").',
    "Tasks run in the order of their priority. For code, omit requiresTests: an agent then also writes tests.)",
  ].join(" ");
