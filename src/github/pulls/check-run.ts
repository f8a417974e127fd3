import type { RestEndpointMethodTypes } from "@octokit/rest";
import { shortCommit } from "../../text/figures.ts";
import { cut } from "../../text/plain-text.ts";
import { createOnce, isUnsure, lookFor } from "../api/create-once.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-request.ts";

/** A note on lines of a file, in the form of the API; the path is relative to the repository. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  annotation_level: "notice" | "warning" | "failure";
  message: string;
  title?: string;
}

/** The one check run of a session on a commit. Without a conclusion it is still running. */
export interface WantedCheckRun {
  name: string;
  sessionId: string;
  head: string;
  conclusion?: "success" | "failure" | "neutral" | "cancelled" | "timed_out" | undefined;
  title: string;
  /** Markdown; cut to GitHub's limit. */
  summary: string;
  /** In a stable order: annotations that were sent are not sent again. */
  annotations: readonly CheckAnnotation[];
  detailsUrl?: string | undefined;
}

/** GitHub's limit for one request; each request adds to the existing annotations. */
const annotationsPerRequest = 50;
const maxSummaryLength = 65_535;

type CheckRun = RestEndpointMethodTypes["checks"]["create"]["response"]["data"];

export interface UpsertedCheckRun {
  kind: "created" | "updated" | "unchanged";
  id: number;
  url: string;
}

const maxTries = 3;

/** Updates or creates the session's check run on the commit: exactly one, with each annotation once. */
export async function upsertCheckRun(
  deps: PublishDeps,
  wanted: WantedCheckRun,
): Promise<UpsertedCheckRun> {
  const { title, summary, annotations } = wanted;
  const notes = annotations.flatMap((note) => [note.path, note.title ?? "", note.message]);
  requireNoSecret(deps, "check run", [title, summary, ...notes].join("\n"));
  const known = await find(deps, wanted);
  const first =
    known ??
    (await createOnce(deps.clock, {
      create: () => create(deps, wanted),
      find: () => find(deps, wanted),
    }));
  const { run } = await complete(deps, first, wanted);
  const kind = known ? (run === first.run ? "unchanged" : "updated") : "created";
  return { kind, id: run.id, url: run.html_url ?? "" };
}

type Progress = { run: CheckRun; sent: number; isCurrent: boolean };

async function find({ github }: PublishDeps, wanted: WantedCheckRun) {
  const { name, sessionId, head } = wanted;
  const named = { ...github.repo, ref: head, check_name: name, filter: "all" } as const;
  const runs = await github.ask(purposeOf("list the check runs of", head, "read"), (octokit) =>
    octokit.paginate(octokit.rest.checks.listForRef, { ...named, per_page: 100 }),
  );
  const [run] = runs
    .filter((each) => each.external_id === sessionId && each.name === name)
    .toSorted((one, other) => one.id - other.id);
  const sent = run?.output.annotations_count ?? 0;
  return run && ({ run, sent, isCurrent: isCurrent(run, wanted) } satisfies Progress);
}

function purposeOf(act: string, head: string, right: "read" | "write" = "write") {
  const permission = `checks: ${right}`;
  return { act: `${act} ${shortCommit(head)}`, permission, reason: "pr" } as const;
}

async function create({ github }: PublishDeps, wanted: WantedCheckRun): Promise<Progress> {
  const { name, sessionId: external_id, head: head_sha, detailsUrl } = wanted;
  const { data: run } = await github.ask(purposeOf("create a check run on", head_sha), ({ rest }) =>
    rest.checks.create({
      ...{ ...github.repo, name, external_id, head_sha },
      ...(detailsUrl && { details_url: detailsUrl }),
      ...checkRunBody(wanted, 0),
    }),
  );
  return { run, sent: afterOneMore(wanted, 0), isCurrent: true };
}

/** Sends updates until the check run is complete. */
async function complete(
  deps: PublishDeps,
  first: Progress,
  wanted: WantedCheckRun,
): Promise<Progress> {
  let progress = first;
  let failures = 0;
  while (!progress.isCurrent || progress.sent < wanted.annotations.length) {
    try {
      progress = await change(deps, progress, wanted);
    } catch (error) {
      failures += 1;
      if (!isUnsure(error) || failures >= maxTries) throw error;
      // The update may have arrived; annotations sent twice are shown twice.
      const { sent } = progress;
      const updated = await lookFor(deps.clock, () => findUpdated(deps, sent, wanted));
      progress = updated ?? progress;
    }
  }
  return progress;
}

/** The check run, if the last update has arrived. */
async function findUpdated(
  deps: PublishDeps,
  sent: number,
  wanted: WantedCheckRun,
): Promise<Progress | undefined> {
  const now = await find(deps, wanted);
  const isAll = now?.isCurrent && now.sent >= wanted.annotations.length;
  return now && (isAll || now.sent > sent) ? now : undefined;
}

/** The answer is not compared with the request: GitHub may normalise texts. */
async function change(
  { github }: PublishDeps,
  { run, sent }: Progress,
  wanted: WantedCheckRun,
): Promise<Progress> {
  const purpose = purposeOf("update the check run on", wanted.head);
  const { data } = await github.ask(purpose, ({ rest }) =>
    rest.checks.update({ ...github.repo, check_run_id: run.id, ...checkRunBody(wanted, sent) }),
  );
  return { run: data, sent: afterOneMore(wanted, sent), isCurrent: true };
}

const afterOneMore = ({ annotations }: WantedCheckRun, sent: number) =>
  Math.max(sent, Math.min(sent + annotationsPerRequest, annotations.length));

function isCurrent({ status, conclusion, output }: CheckRun, wanted: WantedCheckRun): boolean {
  const { title, summary } = outputOf(wanted);
  return (
    status === statusOf(wanted) &&
    (conclusion ?? undefined) === wanted.conclusion &&
    output.title === title &&
    output.summary?.trimEnd() === summary.trimEnd()
  );
}

const statusOf = ({ conclusion }: WantedCheckRun) =>
  conclusion ? ("completed" as const) : ("in_progress" as const);

const outputOf = ({ title, summary }: WantedCheckRun) => ({
  title: cut(title, 255),
  summary: cut(summary, maxSummaryLength),
});

function checkRunBody(wanted: WantedCheckRun, sent: number) {
  const { conclusion } = wanted;
  const annotations = wanted.annotations.slice(sent, sent + annotationsPerRequest);
  return {
    status: statusOf(wanted),
    ...(conclusion && { conclusion }),
    output: { ...outputOf(wanted), annotations },
  };
}
