import { withEnvironment } from "../../entry/run-options.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import { checkShape } from "../../schema/base/check-shape.ts";
import { RunOptions } from "../../schema/config/run-options.ts";

/** Options of `ralph run` as typed. */
export type TypedRunOptions = Readonly<Record<string, unknown>>;

/** The options as values; every wrong one is named at once (exit 1). Empty is the same as not given. */
export function parseRunOptions(typed: TypedRunOptions, env: Environment): RunOptions {
  const given = Object.entries(typed).filter(([, value]) => value !== "");
  const checked = checkShape(RunOptions, Object.fromEntries(given));
  if (checked.kind === "valid") return withEnvironment(checked.data, env);
  const lines = checked.findings.map(({ path: [name], message }) => {
    const key = String(name);
    return `${optionOf(key)}=${typed[key]} ${message}.`;
  });
  throw new RalphError("config", {
    message: lines.join("\n"),
    remedy: "Correct or remove these options.",
  });
}

/** `maxIterations` is typed as `--max-iterations`. */
const optionOf = (key: string) =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
