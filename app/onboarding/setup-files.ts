import type { ReadFiles } from "../../src/platform/system.ts";
import { type DetectedProject, detectProject } from "../../src/scaffold/detect/detect-project.ts";
import { renderConfig } from "../../src/scaffold/write/render-config.ts";
import { renderAppWorkflow } from "../../src/scaffold/write/render-workflow.ts";
import { checkPlanned, type PlannedFile } from "../../src/scaffold/write/write-files.ts";
import { configFile } from "../../src/schema/config/config.ts";
import { workflowPath } from "../runs/dispatch-workflow.ts";

/** A file of the setup pull request. */
export type SetupFile = Pick<PlannedFile, "path" | "content">;

/** The files a repository lacks to work with the App; undefined for existing ones. */
export interface Setup {
  detected: DetectedProject;
  config: SetupFile | undefined;
  workflow: SetupFile | undefined;
}

const autopilotOn = `
# Labels, pushed reports and the schedule may start ralph here. With false only the comment /ralph run does.
autopilot:
  enabled: true
  # schedule: daily       # or hourly, weekly, weekdays, twice-daily
  # schedule_time: "02:00" # UTC
`;

/** The files `ralph init -t auto` would write, for the App; each is checked by the parser that will read it. */
export async function planSetup(files: ReadFiles, baseBranch: string): Promise<Setup> {
  const detected = await detectProject(files, { baseBranch });
  const isMissing = async (path: string) => (await files.stat(path)) === undefined;
  const config = `${renderConfig(detected)}${autopilotOn}`;
  const workflow = renderAppWorkflow({ tools: detected.tools });
  return {
    detected,
    config: (await isMissing(configFile))
      ? checked({ path: configFile, kind: "config", content: config })
      : undefined,
    workflow: (await isMissing(workflowPath))
      ? checked({ path: workflowPath, kind: "workflow", content: workflow })
      : undefined,
  };
}

function checked(file: Pick<PlannedFile, "path" | "kind" | "content">): SetupFile {
  const { path, content } = checkPlanned({ base: "", purpose: "", ...file });
  return { path, content };
}
