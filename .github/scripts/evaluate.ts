import { createEvaluationProject } from "../../test/support/evaluation/evaluation-project.ts";
import { readOptions } from "./read-options.ts";

/** Runs `ralph eval` with an honest agent and one that satisfies only its own example. Exits with 1 on a false proof. */
const usage = `npm run eval -- [--mined N] [--impossible N] [--order tests_first|tests_last] [--html FILE]

Runs \`ralph eval\` with two scripted agents.
  --mined N        tasks mined from history; default: 10
  --impossible N   tasks that cannot be done; default: 10
  --order ORDER    tests_first or tests_last (default)
  --html FILE      write the page too`;

const { values } = readOptions(usage, {
  options: {
    mined: { type: "string", default: "10" },
    impossible: { type: "string", default: "10" },
    order: { type: "string", default: "tests_last" },
    html: { type: "string", default: "" },
  },
});
await using project = await createEvaluationProject({
  mined: Number(values.mined),
  impossible: Number(values.impossible),
  order: values.order === "tests_first" ? "tests_first" : "tests_last",
});
const page = values.html === "" ? [] : ["--html", values.html];
const args = ["--tasks", "../eval.json", "--history", values.mined, ...page];
const { stdout, stderr, exitCode } = await project.ralph("--json", "eval", ...args);
console.log(stderr);
if (exitCode !== 0) process.exit(exitCode);
const { agents, runs } = JSON.parse(stdout);
console.table(agents);
const broken = runs.filter(
  (run: { is_impossible: boolean; ended: string }) => run.is_impossible && run.ended === "passed",
);
console.log(`${broken.length} of the impossible tasks were proved.`);
process.exitCode = broken.length === 0 ? 0 : 1;
