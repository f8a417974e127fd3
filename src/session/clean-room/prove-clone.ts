import {
  concluded,
  type HeadProof,
  type ProofStep,
  passedInSession,
} from "../../core/checks/prove.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readUserRevision } from "../../git/repository/user-head.ts";
import { commitOf } from "../../git/trees/objects.ts";
import { toProjectPath } from "../../git/trees/tree-path.ts";
import { isSessionFile } from "../../git/worktree/session-exclude.ts";
import { readStatus } from "../../git/worktree/status.ts";
import { readJournal } from "../../journal/audit.ts";
import { openScratch } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { type Audit, auditSession, isSound } from "../audit/audit-session.ts";
import { foreignTasks } from "../import/prove-tasks.ts";
import { requireStart } from "../import/require-start.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { openSide } from "../open/locate-project.ts";
import { proveMerge } from "./prove-merge.ts";
import { proveProgram } from "./prove-program.ts";
import { openProofSession, type ProofPlace } from "./prove-session.ts";
import { proveCriteria, proveGates, proveSetup } from "./prove-steps.ts";
import { proveToday } from "./prove-today.ts";
import { proveWork } from "./prove-work.ts";

export type ProofRequest = ProofPlace & {
  notice: (step: ProofStep) => void;
  /**
   * The commit this clone was given, whose rules hold beside those of the start commit; absent for a session of the
   * project's own store.
   */
  given?: string | undefined;
};

/**
 * Proves a bundle's head in the work tree of a fresh clone, for repositories that a clone cannot share (submodules,
 * git-lfs); otherwise use `proveHead`. The clone must be clean, on a branch, and without ignored files. It stays at
 * the proved head afterwards, plus the ignored files that setup steps and gates made.
 */
export async function proveClone(system: System, request: ProofRequest): Promise<HeadProof> {
  const { root, store, makeConfig } = request;
  const bundle = system.files(request.bundle);
  const { state } = await readJournal(bundle);
  await store.files.makeFolder("");
  if (!state) return await proveThere(system, request);
  await using repo = await openSide(system, { root, store });
  await requireStart(repo, { state, bundle, makeConfig });
  const given = await commitOf(repo, await readUserRevision(repo));
  return await proveThere(system, { ...request, given });
}

/** The same in a clone whose commit the caller has checked as a possible start of the session. */
export async function proveThere(system: System, request: ProofRequest): Promise<HeadProof> {
  const { root, store, bundle, makeConfig } = request;
  const files = system.files(bundle);
  const audit = await auditSession(system, { place: { root, store }, files, makeConfig });
  const { state } = audit;
  if (state) await requireFresh(system, request);
  const problems = [...problemsOf(audit), ...(state && isSound(audit) ? nothingDone(state) : [])];
  if (!state || problems.length > 0) return concluded({ ...outline(audit), problems });
  await using scratch = await openScratch(system, store);
  const proving = await openProofSession(system, request, scratch);
  await using _ = proving.session.journal;
  requireSame(audit, proving.session);
  const { listCommit: commit, session } = proving;
  const known = { ...outline(audit), sandbox: proving.sandbox };
  const foreign = await foreignTasks(session.repo, { state, commit });
  if (foreign.length > 0) return concluded({ ...known, problems: foreign });
  const { headTree } = session.journal.state;
  const own = concluded({ ...known, ...(await measure(session, headTree, request.notice)) });
  const proof = own.kind === "proved" ? await alsoToday(session, own, request) : own;
  const base = proof.kind === "proved" ? await proveMerge(session, request.notice) : undefined;
  return base ? { ...proof, base } : proof;
}

/** The same verdict, unless the rules of the commit the clone was given say otherwise. */
async function alsoToday(
  session: SessionContext,
  proof: HeadProof,
  { given: commit, makeConfig, notice }: ProofRequest,
): Promise<HeadProof> {
  if (commit === undefined) return proof;
  const { problems, program } = await proveToday(session, { commit, makeConfig }, notice);
  const known = { ...(program && { program }), ...proof };
  return problems.length > 0 ? concluded({ ...known, problems }) : known;
}

type Measured = Pick<HeadProof, "setup" | "gates" | "criteria" | "program" | "work" | "problems">;

/** Stops at a failed setup step: without it no gate result would mean anything. */
async function measure(
  session: SessionContext,
  tree: string,
  notice: ProofRequest["notice"],
): Promise<Measured> {
  const setup = await proveSetup(session, notice);
  const broken = setup.find(({ ok }) => !ok);
  if (broken) {
    const problems = [`setup step "${broken.name}" failed, so no gate could run`];
    return { setup, gates: [], criteria: [], work: [], problems };
  }
  const gates = await proveGates(session, tree, notice);
  const criteria = await proveCriteria(session, tree, notice);
  const isGreen = [...gates, ...criteria].every(({ ok }) => ok);
  const program = isGreen ? await proveProgram(session, tree, notice) : undefined;
  const holds = isGreen && (program?.parts.every(({ ok }) => ok) ?? true);
  const work = holds ? await proveWork(session, notice) : [];
  const refusals = work.flatMap(({ task, refusal }) => (refusal ? [`${task}: ${refusal}`] : []));
  const problems = [...(isJudged(session, gates) ? [] : [unjudged]), ...refusals];
  return { setup, gates, criteria, ...(program && { program }), work, problems };
}

const unjudged = "no gate that can fail the work ran, so nothing is proved";

/** Whether a fatal gate ran; a project without any has its criteria. */
function isJudged({ policy }: SessionContext, gates: HeadProof["gates"]): boolean {
  const fatal = policy.gates.full.filter((rule) => rule.fatal).map(({ name }) => name);
  const ran = gates.filter(({ status }) => status !== "skipped");
  return fatal.length === 0 || ran.length === 0 || ran.some(({ name }) => fatal.includes(name));
}

/** Problems of the session itself; with any of them, none of its commands run. */
function problemsOf({ problems, passes }: Audit): string[] {
  const lacks = passes.flatMap((pass) => pass.lacks.map((lack) => `${pass.task}: ${lack}`));
  return [...problems, ...lacks];
}

const nothingDone = (state: SessionState) =>
  passedInSession(state).length > 0
    ? []
    : ["no task passed in this session, so there is nothing to prove"];

function outline({ state, digest }: Audit): Omit<HeadProof, "kind"> {
  return {
    sessionId: state?.session.session_id ?? "",
    start: state?.session.start.commit ?? "",
    head: state?.head ?? "",
    headTree: state?.headTree ?? "",
    journal: digest ?? "",
    sandbox: "off",
    setup: [],
    gates: [],
    criteria: [],
    problems: [],
  };
}

/** Before the bundle is imported: the clone holds no ignored files. */
async function requireFresh(system: System, { root, store }: ProofRequest): Promise<void> {
  await using repo = await openSide(system, { root, store });
  const { ignored } = await readStatus(repo);
  const paths = ignored.map((path) => toProjectPath(repo.prefix, path));
  const found = paths.filter((path) => !isSessionFile(path));
  if (found.length === 0) return;
  throw new RalphError("git", {
    message: `The clone is not fresh; it holds files git ignores: ${found.slice(0, 5).join(", ")}.`,
    remedy: "Prove the bundle in a new clone, before anything is installed or built in it.",
  });
}

/** A running session may have continued while its folder was read. */
function requireSame({ digest }: Audit, { journal }: SessionContext): void {
  if (journal.digest === digest) return;
  throw new RalphError("source", {
    message: "The session continued while it was being read.",
    remedy: "Wait until it ends, then start the proof again.",
  });
}
