import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { type Config, configFile } from "../../schema/config/config.ts";
import { readConfig } from "../../sources/config-file.ts";

/** The settings of a configuration for documents. */
type DocumentSettings = {
  branchPrefix: string;
  /** The JSON list an import writes to, below the project root. */
  tasks: string;
  source: Config["task_source"];
  hasConfig: boolean;
  /** Set when the configuration is broken and the defaults are used. */
  warning?: string;
};

const usual: DocumentSettings = {
  branchPrefix: "ralph/",
  tasks: ".ralph/prd.json",
  source: { type: "prd_json", path: ".ralph/prd.json" },
  hasConfig: false,
};

/** The settings, or the defaults: a conversion needs no configuration. A configuration named by the user must be valid. */
export async function documentSettings(
  system: Pick<System, "files" | "env">,
  root: string,
  named: string | undefined,
): Promise<DocumentSettings> {
  const path = named ?? (system.env.RALPH_CONFIG || undefined);
  const files = system.files(root);
  try {
    const { config } = await readConfig(files, path ?? configFile);
    const { task_source: source, autopilot } = config;
    const tasks = source.type === "prd_json" ? source.path : autopilot.tasks.output;
    return { branchPrefix: autopilot.branch_prefix, tasks, source, hasConfig: true };
  } catch (error) {
    if (path !== undefined || !(error instanceof RalphError)) throw error;
    if (!(await files.stat(configFile))) return usual;
    const warning = `Warning: ${configFile} is invalid, so the default paths are used; \`ralph validate\` says why.`;
    return { ...usual, hasConfig: true, warning };
  }
}
