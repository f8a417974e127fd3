import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { type Finding, warningAt } from "../../schema/base/finding.ts";
import type { Config } from "../../schema/config/config.ts";
import { type Gate, gateLevels } from "../../schema/config/gates.ts";
import type { CheckInput } from "./target.ts";

/** Warnings about gates that are skipped because `when` matches no file (specs 004 8.1.4), inside of a repository. */
export async function checkConditions(
  { system, root }: Pick<CheckInput, "system" | "root">,
  { gates }: Config,
): Promise<Finding[]> {
  const all = [...gates.build, ...gates.full];
  if (all.every(({ when }) => when === undefined)) return [];
  const paths = await pathsIn(system, root);
  if (paths === undefined) return [];
  const isIdle = ({ when }: Gate) => when !== undefined && !isMet(when, paths);
  const skipped = gateLevels.flatMap((level) =>
    gates[level].flatMap((gate, index) =>
      isIdle(gate)
        ? [
            warningAt(
              ["gates", level, index, "when"],
              `is ${gate.when}, which matches no file here, so the gate is skipped`,
            ),
          ]
        : [],
    ),
  );
  const fatal = gates.full.filter((gate) => gate.fatal);
  const decides = fatal.length === 0 || fatal.some((gate) => !isIdle(gate));
  return decides ? skipped : [...skipped, warningAt(["gates", "full"], undecided)];
}

const undecided = "has no fatal gate that runs here, so no command decides whether a task is done";

/** A folder matches when it holds a file. */
const isMet = (when: string, paths: readonly string[]) =>
  paths.some(pathMatcher([when, `${when.replace(/\/+$/, "")}/`]));

/** Tracked and new files, without ignored ones; undefined without a repository. */
export async function pathsIn(
  { ask, env }: CheckInput["system"],
  root: string,
): Promise<string[] | undefined> {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { exitCode, stdout } = await ask({
    file: "git",
    // A file watcher configured in the repository is untrusted code.
    args: ["-c", "core.fsmonitor=false", ...listing],
    cwd: root,
    env: userEnvironment(env),
    maxBytes: 64 * 1024 * 1024,
  });
  return exitCode === 0 ? stdout.toString().split("\0") : undefined;
}
