import { join } from "node:path/posix";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import type { Files } from "../../platform/system.ts";
import { createStopwatch } from "../../services/health.ts";
import { type RobotResult, requireRobot, runRobot } from "../../ui/robot.ts";
import { gateDepsAt } from "../loop/gate-deps-at.ts";
import type { VerifyPlace } from "./verify-place.ts";

/** The files Robot Framework writes; nothing else of its folder is kept. */
const keptFiles = ["output.xml", "log.html", "report.html"];
const maxBytes = 20 * 1024 * 1024;

/** Runs the suite and journals each of its tests. */
export async function runRobotPhase(place: VerifyPlace, baseUrl: string): Promise<void> {
  const elapsed = createStopwatch();
  const { system, repo, config } = place;
  const { suite = "", variables } = config.ui.robot;
  const program = await requireRobot(system, repo.root);
  // Git ignores this folder, and the sandbox lets Robot Framework write into it.
  const folder = join(".ralph-session", createTemporaryName());
  const project = system.files(repo.root);
  await project.makeFolder(folder);
  await using _ = { [Symbol.asyncDispose]: () => project.remove(folder) };
  const files = system.files(join(repo.root, folder));
  const run = { program, suite, variables, baseUrl };
  const result = await runRobot(gateDepsAt(place), run, { path: folder, files });
  if (place.cancel.aborted) return;
  await noticeTests(place, result);
  const detail = problemOf(result);
  await place.notice({
    ...{ type: "verify_phase_end", phase: "robot", tree: place.tree, ms: elapsed() },
    status: detail === "" ? "passed" : "failed",
    detail,
    files: await keep(place, files),
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

function problemOf(result: RobotResult): string {
  if (result.kind === "broken") return result.detail;
  const { tests, errors } = result.output;
  const failed = tests.filter(({ status }) => status === "failed").map(({ name }) => name);
  const isEmpty = tests.every(({ status }) => status === "skipped");
  if (failed.length > 0) return `failed: ${failed.join(", ")}`;
  return isEmpty ? ["every test was skipped", ...errors].join("\n") : "";
}

async function keep({ evidence }: VerifyPlace, files: Files): Promise<Record<string, EvidenceRef>> {
  const kept: Record<string, EvidenceRef> = {};
  let room = maxBytes;
  for (const name of keptFiles) {
    const content = await readSmall(files, name, room);
    if (!content) continue;
    room -= content.byteLength;
    kept[name] = await evidence.putFile(content);
  }
  return kept;
}

/** A link, or a file beyond the limit, is left out. */
async function readSmall(files: Files, name: string, room: number): Promise<Buffer | undefined> {
  try {
    return await files.read(name, { maxBytes: room });
  } catch {
    return undefined;
  }
}
