import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { missingObjects, treeOf } from "../../git/trees/objects.ts";
import {
  type AuditedPass,
  type AuditedRepair,
  auditEnd,
  auditEvidence,
  auditPasses,
  auditRepairs,
  type Reading,
  readJournal,
} from "../../journal/audit.ts";
import type { Files, System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { packFile } from "../bundle/bundled-objects.ts";
import { bookkeepingPaths } from "../loop/bookkeeping.ts";
import { policyOf } from "../loop/policy-of.ts";
import { type LocatedProject, openSide } from "../open/locate-project.ts";
import { type MakeConfig, readCommitConfig } from "../open/start-config.ts";
import { auditCommit, auditFixCommit } from "./audit-commit.ts";

/** The result of an audit; the session is sound when there are no problems at all. */
export interface Audit {
  state: SessionState | undefined;
  /** `seq:hash` of the journal's last line. */
  digest: string | undefined;
  events: number;
  evidence: number;
  passes: readonly AuditedPass[];
  /** What they lack is also among the problems. */
  repairs: readonly AuditedRepair[];
  /** Problems of the session as a whole. The problems of one pass are listed with the pass. */
  problems: readonly string[];
}

export interface AuditRequest {
  place: LocatedProject;
  /** The session's folder in the store, or a bundle. */
  files: Files;
  /** Makes the configuration of a project that has none. */
  makeConfig?: MakeConfig | undefined;
}

export const isSound = ({ problems, passes }: Audit) =>
  problems.length === 0 && passes.every(({ lacks }) => lacks.length === 0);

/** Checks a session without trusting it (design 2): chain, evidence, proofs and commits. It only reads, so the session may run. */
export async function auditSession(
  system: System,
  { place, files, makeConfig }: AuditRequest,
): Promise<Audit> {
  const reading = await readJournal(files);
  const { state, digest, moments } = reading;
  const { count, problems } = await auditEvidence(files, reading);
  const broken = reading.broken === undefined ? [] : [reading.broken];
  const known = { state, digest, events: moments.length, evidence: count };
  if (!state) return { ...known, passes: [], repairs: [], problems: [...broken, ...problems] };
  await using repo = await openSide(system, place);
  await fetchMissing(repo, { state, files });
  const inGit = await auditInGit(repo, reading, { state, makeConfig });
  return {
    ...known,
    ...inGit,
    problems: [...broken, ...problems, ...inGit.problems, ...auditEnd(state)],
  };
}

/** Reads commits this repository lacks from the session's own pack, for the duration of the audit. */
async function fetchMissing(
  repo: Repository,
  { state, files }: { state: SessionState; files: Files },
): Promise<void> {
  const works = [...state.tasks, ...(state.repairs?.ended ?? [])];
  const commits = works.flatMap(({ commit }) => commit ?? []);
  const missing = await missingObjects(repo, [state.head, ...commits]);
  if (missing.length > 0) await readPack(repo, `${files.root}/${packFile}`);
}

async function auditInGit(
  repo: Repository,
  reading: Reading,
  { state, makeConfig }: Origin,
): Promise<Pick<Audit, "passes" | "repairs" | "problems">> {
  const start = await auditStart(repo, { state, makeConfig });
  if (!start.config) {
    return { passes: auditPasses(reading, []), repairs: [], problems: start.problems };
  }
  const { config } = start;
  const rules = policyOf(config, { deadlines: [] }).gates.full;
  const frame = {
    sessionId: state.session.session_id,
    bookkeeping: bookkeepingPaths(config, state),
  };
  const passes: AuditedPass[] = [];
  for (const pass of auditPasses(reading, rules)) {
    const lacks = [...pass.lacks, ...(await auditCommit(repo, pass, frame))];
    passes.push({ ...pass, lacks });
  }
  const repairs: AuditedRepair[] = [];
  for (const repair of auditRepairs(reading, rules)) {
    const lacks = [...repair.lacks, ...(await auditFixCommit(repo, repair, frame.sessionId))];
    repairs.push({ ...repair, lacks });
  }
  const lacking = repairs.flatMap(({ name, lacks }) => lacks.map((lack) => `${name}: ${lack}`));
  return { passes, repairs, problems: [...start.problems, ...lacking] };
}

/** A session, and how to make its configuration when its start commit has none. */
type Origin = { state: SessionState; makeConfig: MakeConfig | undefined };
type Start = { config: Config | undefined; problems: string[] };

/** Configuration and gates come only from the start commit (design 4). */
async function auditStart(repo: Repository, { state, makeConfig }: Origin): Promise<Start> {
  const { session } = state;
  const { commit, tree } = session.start;
  const name = `start commit ${commit.slice(0, 12)}`;
  if ((await missingObjects(repo, [commit])).length > 0) {
    return { config: undefined, problems: [`${name} is not in this repository`] };
  }
  const isSame = (await treeOf(repo, commit)) === tree;
  const problems = isSame ? [] : [`${name} has another tree than the journal says`];
  const config = await readStartConfig(repo, { state, makeConfig });
  const missing = `${session.config_path} of the ${name} cannot be read, so no gate can be judged`;
  return { config, problems: config ? problems : [...problems, missing] };
}

async function readStartConfig(repo: Repository, { state, makeConfig }: Origin) {
  const { start, config_path: path } = state.session;
  try {
    return await readCommitConfig(repo, { commit: start.commit, path }, makeConfig);
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}
