import type {
  PromptContext,
  PromptRole,
  ReferenceDocument,
  WorkToReview,
} from "../../agents/prompts/prompt-context.ts";
import { chooseLessons } from "../../agents/prompts/prompt-lessons.ts";
import { flaggedChanges } from "../../core/checks/flagged-changes.ts";
import { findingsForReview } from "../../core/decide/proof-step.ts";
import {
  currentUnit,
  openCheckpoints,
  type SessionState,
  type TaskState,
} from "../../core/state/session-state.ts";
import { dialects } from "../../dialects/dialects.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { failureMessages } from "../../text/failure-excerpt.ts";
import type { SessionContext } from "./session-context.ts";

/** The prompt cuts longer diffs anyway. */
const maxDiffBytes = 1024 * 1024;

/** The patterns are at the top of a log that grows with every task. */
const maxPatternBytes = 64 * 1024;

/** Gathers the content of a role's prompt (compatibility 1.7); rendering limits every part. */
export async function promptContextOf(
  session: SessionContext,
  { task, role, token }: { task: TaskState; role: PromptRole; token: string },
): Promise<PromptContext> {
  const { state } = session.journal;
  const [memory, work] = await Promise.all([
    readMemory(session, task),
    workOf(session, task, role),
  ]);
  const unit = currentUnit(task);
  return {
    fence: { boundary: session.system.randomHex(8), token },
    project: { name: state.session.project, description: state.session.description },
    tasks: state.tasks,
    task: task.task,
    unit,
    checkpoints: unit ? [] : openCheckpoints(task),
    memory,
    isTestsFirst: task.parts !== undefined,
    waitingTests: role === "implementation" ? waitingTests(task) : undefined,
    feedback: (role === "test_writing" && task.proof?.question) || task.lastFailure?.feedback,
    refused: task.refused,
    hints: state.steering.hints,
    testPaths: session.config.test_paths,
    work,
  };
}

/** Names and messages of the tests that fail on the task's base. */
function waitingTests({ parts, proof }: TaskState): string | undefined {
  if (!parts) return undefined;
  const runs = Object.values(proof?.results ?? {}).flat();
  const red = runs.filter(({ tree, status }) => tree === parts.tests && status === "failed");
  return red.map(({ detail, fingerprints }) => failureMessages(detail, fingerprints)).join("\n");
}

async function readMemory(
  { system, repo, config, journal: { state } }: SessionContext,
  task: TaskState,
): Promise<PromptContext["memory"]> {
  const files = system.files(repo.root);
  const [agentsMd, progress, signs, notes] = await Promise.all([
    files.read("AGENTS.md"),
    files.read(config.autopilot.memory.progress),
    files.read(".ralph/guardrails.md"),
    readReferenceDocuments(files, state, task),
  ]);
  const head = progress?.subarray(0, maxPatternBytes).toString("utf8") ?? "";
  const guardrails = signs?.toString("utf8") ?? "";
  return {
    agentsMd: agentsMd?.toString("utf8") ?? "",
    patterns: patternsOf(head),
    signs: chooseLessons({ guardrails, state, task }),
    notes,
  };
}

/** The block at the top of the progress log, up to the first separator (specs 004 6.4). */
export function patternsOf(progress: string): string {
  const from = progress.indexOf("## Codebase Patterns");
  if (from < 0) return "";
  const body = progress.slice(progress.indexOf("\n", from) + 1);
  const to = body.search(/^(?:---|## )/m);
  return (to < 0 ? body : body.slice(0, to)).trim();
}

/** The work to test or review; an implementation starts from its feedback instead. */
async function workOf(
  { repo, config, journal, policy }: SessionContext,
  task: TaskState,
  role: PromptRole,
): Promise<WorkToReview> {
  const gateCommands = [...config.gates.build, ...config.gates.full].map(({ cmd }) => cmd);
  const rules = { testPaths: config.test_paths, gateCommands };
  const { files, patch } =
    role === "implementation"
      ? { files: [], patch: "" }
      : await diffTrees(repo, { from: task.base, to: task.tree, maxBytes: maxDiffBytes });
  return {
    files,
    diff: patch,
    claim: task.claim ?? "",
    criteria: task.criteria?.results ?? [],
    gates: Object.values(task.gates).filter(({ tree }) => tree === task.tree),
    flagged: [
      ...flaggedChanges(files, rules).map(({ path, because }) => `${path} (${because})`),
      ...findingsForReview(journal.state, task, policy)
        .filter(({ check }) => check !== "flags")
        .map(({ message }) => message),
      ...(task.proof?.answered ?? []).map((question) => `The test writer was asked: ${question}`),
    ],
  };
}

/** Prompts show less of each; a larger file is no document for people. */
const maxBytes = 64 * 1024;

/** The documents that the dialects name for a task. They are only read; a file that cannot be read is left out. */
export async function readReferenceDocuments(
  files: Pick<ReadFiles, "read">,
  state: Pick<SessionState, "session">,
  task: Pick<TaskState, "task">,
): Promise<ReferenceDocument[]> {
  const paths = dialects.flatMap(({ references }) => references?.(state, task) ?? []);
  const texts = await Promise.all(paths.map((path) => readText(files, path)));
  return paths.flatMap((label, index) => {
    const text = texts[index] ?? "";
    return text.trim() === "" ? [] : [{ label, text }];
  });
}

async function readText(files: Pick<ReadFiles, "read">, path: string): Promise<string | undefined> {
  try {
    return (await files.read(path, { maxBytes }))?.toString("utf8");
  } catch {
    return undefined;
  }
}
