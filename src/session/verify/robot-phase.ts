import { createStopwatch } from "../../services/health.ts";
import { type RobotResult, requireRobot, runRobot } from "../../ui/robot.ts";
import { gateDepsAt } from "../loop/gate-deps-at.ts";
import { openResultsFolder, type VerifyPlace } from "./verify-place.ts";

/** The files Robot Framework writes; of the rest of its folder only pictures are kept. */
const results = ["output.xml", "log.html", "report.html"];
/** The Browser library has a folder of its own for them. */
const pictureFolders = ["", "browser/screenshot/"];

/** Runs the suite and journals each of its tests. */
export async function runRobotPhase(place: VerifyPlace, baseUrl: string): Promise<void> {
  const elapsed = createStopwatch();
  const { system, repo, config } = place;
  const { suite = "", variables } = config.ui.robot;
  const program = await requireRobot(system, repo.root);
  await using written = await openResultsFolder(place);
  const run = { program, suite, variables, baseUrl };
  const result = await runRobot(gateDepsAt(place), run, written);
  if (place.cancel.aborted) return;
  await noticeTests(place, result);
  const detail = place.redact(problemOf(result));
  await place.notice({
    ...{ type: "verify_phase_end", phase: "robot", tree: place.tree, ms: elapsed() },
    status: detail === "" ? "passed" : "failed",
    detail,
    files: await written.keep({ names: results, pictureFolders }),
    output: await place.evidence.put(result.log, result.bytes),
  });
}

async function noticeTests(place: VerifyPlace, result: RobotResult): Promise<void> {
  if (result.kind === "broken") return;
  for (const { name: test, status, message, ms } of result.output.tests) {
    await place.notice({ type: "ui_test_start", test, framework: "robot" });
    const detail = place.redact(message);
    await place.notice({ type: "ui_test_end", test, framework: "robot", status, detail, ms });
  }
}

const maxErrors = 5;

function problemOf(result: RobotResult): string {
  if (result.kind === "broken") return result.detail;
  const { tests, errors } = result.output;
  const failed = tests.filter(({ status }) => status === "failed").map(({ name }) => name);
  const isEmpty = tests.every(({ status }) => status === "skipped");
  if (failed.length === 0 && !isEmpty) return "";
  const what = isEmpty ? "every test was skipped" : `failed: ${failed.join(", ")}`;
  // A library that is missing explains the tests that failed for it.
  return [what, ...errors.slice(0, maxErrors)].join("\n");
}
