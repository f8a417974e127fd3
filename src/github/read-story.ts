import type { Repository } from "../git/repository.ts";
import { type Reading, readJournal } from "../journal/audit.ts";
import type { Place } from "../loop/locate-project.ts";
import type { Run } from "../run/run.ts";
import { type PullStory, renderPullBody } from "../surfaces/views/pull-body.ts";
import type { PullMarker } from "../surfaces/views/pull-marker.ts";
import { type Asked, pullValues } from "../surfaces/views/pull-template.ts";
import { renderPullTitle } from "../surfaces/views/pull-title.ts";
import { type Summary, summarize } from "../surfaces/views/summary.ts";
import { secretValues } from "../system/secret-values.ts";
import type { System } from "../system/system.ts";
import { requireSound, takePack } from "./audit-bundle.ts";
import { checkCommits, ownCommits } from "./check-commits.ts";
import type { Finding } from "./firewall.ts";
import type { SessionWish } from "./session-wish.ts";
import { readTrustedStart, type TrustedStart } from "./trusted-start.ts";

/** A session as its publisher tells it: what was checked, and the words for it. */
export interface Story {
  run: Run;
  start: TrustedStart;
  summary: Summary;
  /** The session's commits, oldest first. */
  own: readonly string[];
  flagged: readonly Finding[];
  marker: PullMarker;
  title: string;
  body: string;
}

type Told = { repo: Repository; place: Place; wish: SessionWish };

/** Audits a bundle, holds its commits against the firewall and writes what is said about it. It changes nothing. */
export async function readStory(
  system: System,
  { repo, place, wish }: Told,
): Promise<Story | undefined> {
  const { bundle, trust } = wish;
  const reading = await readJournal(system.files(bundle));
  const { run, moments } = reading;
  if (!run) return undefined;
  const start = await readTrustedStart(repo, run, trust);
  await requireSound(system, { place, bundle, makeConfig: trust.makeConfig });
  await takePack(repo, run, bundle);
  const own =
    run.head === start.commit ? [] : await ownCommits(repo, { from: start.commit, to: run.head });
  const secrets = secretsOf(system, wish);
  const flagged = await checkCommits(repo, { commits: own, start, moments, secrets });
  return { run, start, own, flagged, ...wordsFor({ run, start, flagged, reading }, wish) };
}

/** What nobody may publish: the secrets of this process, and those of the door. */
export function secretsOf({ env }: Pick<System, "env">, wish: SessionWish): string[] {
  const { remote, secrets = [] } = wish;
  return [...secretValues(env), ...secrets, ...(remote.token ? [remote.token] : [])];
}

type Checked = Pick<Story, "run" | "start" | "flagged"> & { reading: Reading };

function wordsFor({ run, start: { config }, flagged, reading }: Checked, wish: SessionWish) {
  const { origin, proof } = wish;
  const events = reading.moments.map(({ event }) => event);
  const summary = summarize(run, events);
  const asked = origin?.asked ?? askedBy(run);
  const marker = origin?.marker ?? { run: run.session.session_id };
  const story: PullStory = {
    summary,
    asked,
    marker,
    bodyTemplate: config.pr.body_template,
    cleanRoom: proof === "clean_room" ? provedElsewhere : undefined,
    budgetUsd: config.limits.budget_usd,
    issue: origin?.issue,
    trace: origin?.trace,
    flagged,
    journal: reading.digest,
  };
  const title = renderPullTitle(config.pr.title_template, pullValues(summary, asked));
  return { summary, marker, title, body: renderPullBody(story) };
}

/** The clean room was another job: what is known here is that it was green. */
const provedElsewhere = { kind: "proved", gates: [], criteria: [], problems: [] } as const;

/** A plain run was asked for by its task list. */
function askedBy({ session: { project, description } }: Run): Asked {
  const [first = ""] = description.trim().split("\n", 1);
  return { priority_item: first || project, description };
}
