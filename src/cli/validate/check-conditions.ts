import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { type Finding, warningAt } from "../../schema/base/finding.ts";
import type { Config } from "../../schema/config/config.ts";
import { type Gate, gateLevels } from "../../schema/config/gates.ts";
import type { CheckInput } from "./target.ts";

/**
 * Warnings about gates whose `when` matches nothing here (specs 004 8.1.4): such a gate is skipped, and when all
 * fatal ones are, no command decides anything. Outside a repository nothing is said.
 */
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

const undecided =
  "has no fatal gate that runs here, so none of your commands decides whether a task is done";

/** A folder is met by what is in it. */
const isMet = (when: string, paths: readonly string[]) =>
  paths.some(pathMatcher([when, `${when.replace(/\/+$/, "")}/`]));

/** Tracked and new files, without ignored ones; undefined when git cannot say. */
export async function pathsIn(
  { ask, env }: CheckInput["system"],
  root: string,
): Promise<string[] | undefined> {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { exitCode, stdout } = await ask({
    file: "git",
    // The repository's own file watcher would be a program of the repository.
    args: ["-c", "core.fsmonitor=false", ...listing],
    cwd: root,
    env: userEnvironment(env),
    maxBytes: 64 * 1024 * 1024,
  });
  return exitCode === 0 ? stdout.toString().split("\0") : undefined;
}
