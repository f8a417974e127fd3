import type { EvidenceRef } from "../../core/state/measurement.ts";
import { describeEnd, runShell } from "../../gates/run-shell.ts";
import { createStopwatch } from "../../services/health.ts";
import { findChromium } from "../../ui/find-chromium.ts";
import { gateDepsAt } from "../loop/gate-deps-at.ts";
import { isSandboxed } from "../loop/open-stage.ts";
import { openResultsFolder, type VerifyPlace } from "./verify-place.ts";

const timeoutMs = 600_000;

/** `files`: the pictures it has written. */
export type ScriptRun = { isGreen: boolean; files: Record<string, EvidenceRef> };

/** The project's own script calls agent-browser itself; its exit code decides. */
export async function runBrowserScript(
  place: VerifyPlace,
  script: string,
  baseUrl: string,
): Promise<ScriptRun> {
  const elapsed = createStopwatch();
  const deps = gateDepsAt(place);
  await place.notice({ type: "ui_test_start", test: script, framework: "browser" });
  await using written = await openResultsFolder(place);
  const env = {
    ...deps.env,
    ...{ BASE_URL: baseUrl, RALPH_ARTIFACTS: written.files.root },
    ...(await agentBrowserVariables(place)),
  };
  const file = `'./${script.replaceAll("'", "'\\''")}'`;
  const cmd = `if [ -x ${file} ]; then exec ${file}; else exec bash ${file}; fi`;
  const { end, output } = await runShell({ ...deps, env }, { cmd, timeoutMs });
  if (place.cancel.aborted) return { isGreen: false, files: {} };
  const isGreen = end.kind === "exited" && end.code === 0;
  const tail = output.trim().split("\n").slice(-20);
  await place.notice({
    ...{ type: "ui_test_end", test: script, framework: "browser", ms: elapsed() },
    status: isGreen ? "passed" : "failed",
    detail: isGreen ? "" : [describeEnd(end, timeoutMs), ...tail].join("\n"),
    console: await place.evidence.put(output),
  });
  return { isGreen, files: await written.keep({ names: [], pictureFolders: [""] }) };
}

/** Its daemon has a name of its own, and in the sandbox a home that it can write. */
async function agentBrowserVariables(place: VerifyPlace): Promise<Record<string, string>> {
  const executable = await findChromium(place.system);
  return {
    AGENT_BROWSER_NO_VERSION_CHECK: "1",
    AGENT_BROWSER_NAMESPACE: "ralph",
    ...(executable !== undefined && { AGENT_BROWSER_EXECUTABLE_PATH: executable }),
    ...(isSandboxed(place) && { HOME: "/tmp" }),
  };
}
