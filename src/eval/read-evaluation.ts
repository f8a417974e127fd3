import { basename, dirname, join } from "node:path/posix";
import { RalphError } from "../error.ts";
import { commitOf } from "../git/trees/objects.ts";
import type { ScanContext } from "../scan/scan-context.ts";
import { checkShape } from "../schema/base/check-shape.ts";
import { Evaluation, type EvaluationTask } from "../schema/tasks/evaluation.ts";
import { acceptSource } from "../sources/accept-source.ts";
import { parseYaml } from "../sources/parse-yaml.ts";
import { readSource } from "../sources/read-source.ts";
import { changedByRole, filesOfCommit, filesOfFolder, type PreparedTask } from "./hidden-files.ts";

const maxBytes = 1024 * 1024;

/** Reads a file for `--tasks`, YAML or JSON. Throws RalphError with every problem as `file:line:column`. */
export async function readEvaluation(
  { system }: Pick<ScanContext, "system">,
  path: string,
): Promise<Evaluation> {
  const file = basename(path);
  const remedy = `Correct ${path}; \`schemas/evaluation.schema.json\` describes it.`;
  const missing = { reason: "source", file, remedy } as const;
  const bytes = await readSource(system.files(dirname(path)), { maxBytes, missing });
  const check = (value: unknown) => {
    const checked = checkShape(Evaluation, value);
    return checked.kind === "valid"
      ? { data: checked.data, findings: [] }
      : { data: undefined, findings: checked.findings };
  };
  return acceptSource(parseYaml({ bytes, file, maxBytes }), { check, refusal: missing }).data;
}

/** Its tasks, with their hidden files read. */
export async function prepareTasks(
  context: ScanContext,
  { tasks }: Evaluation,
  folder: string,
): Promise<PreparedTask[]> {
  const prepared: PreparedTask[] = [];
  for (const { start, hidden, hidden_commit, impossible = false, ...task } of tasks) {
    prepared.push({
      name: task.title,
      task,
      start,
      hidden: await hiddenOf(context, { folder, title: task.title, hidden, hidden_commit }),
      isImpossible: impossible,
    });
  }
  return prepared;
}

type Named = Partial<Pick<EvaluationTask, "hidden" | "hidden_commit">> & {
  folder: string;
  title: string;
};

async function hiddenOf(context: ScanContext, { folder, title, hidden, hidden_commit }: Named) {
  const nothing = (where: string) =>
    new RalphError("source", {
      message: `The hidden tests of "${title}" are missing: ${where}.`,
      remedy: "Name a folder beside the file, or a commit of this repository that changed tests.",
    });
  if (hidden !== undefined) {
    const found = await filesOfFolder(context.system.files(join(folder, hidden)));
    if (found.size === 0) throw nothing(`there is no file in ${hidden}`);
    return found;
  }
  if (hidden_commit === undefined) return new Map();
  const [repo, { config }] = [await context.repo(), await context.config()];
  const commit = await commitOf(repo, hidden_commit);
  if (commit === undefined) throw nothing(`${hidden_commit} is no commit here`);
  const files = (await changedByRole(repo, { config, commit })).get("test") ?? [];
  if (files.length === 0) throw nothing(`${hidden_commit} changed no test`);
  return filesOfCommit(repo, { commit, files });
}
