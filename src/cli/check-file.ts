import { basename, dirname } from "node:path/posix";
import { type Problem, RalphError } from "../error.ts";
import { checkLaterKeys } from "../loop/later-keys.ts";
import { counted } from "../run/counted.ts";
import { readConfig } from "../system/config-file.ts";
import type { Files, System } from "../system/system.ts";
import { readTaskFile } from "../system/task-file.ts";
import { checkSessionFolder } from "./check-session-folder.ts";

/** What `ralph validate` looks at. `path` is absolute, `shown` as the user knows it; a session is a folder. */
export type Target = { kind: "config" | "tasks" | "session" | "cr"; path: string; shown: string };

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

type Sound = { note: string; warnings: readonly Problem[] };

/** Checks one file of any kind. Bad news is part of the answer, so that all files are looked at. */
export async function checkFile(
  { files }: Pick<System, "files">,
  target: Target,
): Promise<FileCheck> {
  const about = { file: target.shown, kind: target.kind };
  try {
    const sound = await checks[target.kind](
      files(target.path),
      readAs(files, target),
      target.shown,
    );
    return { ...about, exitCode: 0, problems: [], ...sound };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { exitCode, remedy: note, message } = error;
    const problems = error.problems.length > 0 ? error.problems : [{ file: about.file, message }];
    return { ...about, exitCode, problems, warnings: [], note };
  }
}

type Reader = Pick<Files, "read">;

/** Reads the target under the name the user gave it, wherever it is. */
function readAs(files: System["files"], { path }: Target): Reader {
  return { read: (_, options) => files(dirname(path)).read(basename(path), options) };
}

const checks: Record<
  Target["kind"],
  (folder: Files, file: Reader, shown: string) => Promise<Sound>
> = {
  config: async (_, file, shown) => {
    const { config, warnings } = await readConfig(file, shown);
    const later = checkLaterKeys(config, shown).map((text) => remark(shown, text));
    return { note: "a valid configuration", warnings: [...warnings, ...later] };
  },
  tasks: async (_, file, shown) => {
    const { prd, warnings } = await readTaskFile(file, shown);
    const passed = prd.tasks.filter(({ passes }) => passes).length;
    const note = `a valid task list, ${counted(prd.tasks.length, "task")}, ${passed} passed`;
    return { note, warnings };
  },
  session: async (folder, _, shown) => {
    await checkSessionFolder(folder, shown);
    return { note: "a session nobody has tampered with", warnings: [] };
  },
  cr: async (_, __, shown) => {
    throw new RalphError("source", {
      message: "change requests in Markdown cannot be checked yet",
      remedy: `Put the tasks of ${shown} into .ralph/prd.json.`,
    });
  },
};

const remark = (file: string, text: string): Problem => ({
  file,
  message: text.startsWith(`${file}: `) ? text.slice(file.length + 2) : text,
});
