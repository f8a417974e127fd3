import { type Problem, RalphError } from "../../error.ts";
import { machineFile } from "../../sources/read-source.ts";
import type { CheckPlace, Sound, Target } from "../core/target.ts";
import { checkAnalysisFile, checkPrdFile, checkRecordFile } from "./check-autopilot-file.ts";
import { checkConfigFile } from "./check-config-file.ts";
import { checkSessionFolder } from "./check-session-folder.ts";
import { checkStateFile } from "./check-state-file.ts";
import { checkCompoundFile, checkRequestFile, checkTaskFile } from "./check-task-file.ts";

/** What was found in one file. `exitCode` is 0 when it may be used. */
export type FileCheck = {
  file: string;
  kind: Target["kind"];
  exitCode: number;
  problems: readonly Problem[];
  warnings: readonly Problem[];
  /** One sentence: what it is when it is sound, else what to do. */
  note: string;
};

/** Checks one file of any kind. Bad news is part of the answer, so that all files are looked at. */
export async function checkTarget(
  system: CheckPlace["system"],
  { root, target }: Pick<CheckPlace, "root" | "target">,
): Promise<FileCheck> {
  const about = { file: target.shown, kind: target.kind };
  try {
    const file = machineFile(system, target.path);
    const sound = await checks[target.kind]({ system, root, target, file });
    return { ...about, exitCode: 0, problems: [], ...sound };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { exitCode, remedy: note, message } = error;
    const problems = error.problems.length > 0 ? error.problems : [{ file: about.file, message }];
    return { ...about, exitCode, problems, warnings: [], note };
  }
}

const checks: Record<Target["kind"], (place: CheckPlace) => Promise<Sound>> = {
  config: checkConfigFile,
  tasks: checkTaskFile,
  session: async ({ system, target: { path, shown, part } }) => {
    const warnings = await checkSessionFolder(system.files(path), { shown, part });
    const note = part ? "a sound file of a session" : "a session nobody has tampered with";
    return { note, warnings };
  },
  analysis: checkAnalysisFile,
  "run-record": checkRecordFile,
  prd: checkPrdFile,
  cr: checkRequestFile,
  compound: checkCompoundFile,
  state: checkStateFile,
  unknown: async ({ target: { shown } }) => {
    throw new RalphError("config", {
      message: "is none of the kinds of files that can be checked",
      remedy: `Say what ${shown} is with --config, --tasks or --session; check a journal with \`ralph audit\`.`,
    });
  },
};
