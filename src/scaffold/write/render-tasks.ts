import { schemaAddress } from "./published-addresses.ts";

type ExampleTask = { project: string; file: string; testCommand: string | undefined };

/**
 * `.ralph/prd.json` with one example to replace. It only adds a page of notes, should somebody run it as it
 * is, and its description says how criteria are written. Pure.
 */
export function renderExampleTasks({ project, file, testCommand }: ExampleTask): string {
  const list = {
    $schema: schemaAddress("prd"),
    project: project.slice(0, 200),
    branchName: "ralph/example",
    description: "An example: put your own work here, then run `ralph validate`",
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
    "(For people: replace this example by your work. A description says what to do and why. Good criteria are either true or false, one fact each.",
    'ralph checks these forms itself: "Run `COMMAND` - exits with code 0", "File `PATH` exists", "File `PATH` contains `TEXT`".',
    'Everything else goes to the reviewer, so name what can be seen ("Punctuation never ends up in a slug"), not a wish ("works well").',
    "Tasks run in the order of their priority. Leave requiresTests out for code: then an agent writes tests, too.)",
  ].join(" ");
