import { createOnce, isUnsure, lookFor } from "../api/create-once.ts";
import { listAll } from "../api/list-pages.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-deps.ts";
import {
  afterOneMore,
  CheckRun,
  CheckRuns,
  checkRunBody,
  isCurrent,
  type WantedCheckRun,
} from "./wanted-check-run.ts";

export interface UpsertedCheckRun {
  kind: "created" | "updated" | "unchanged";
  id: number;
  url: string;
}

const maxTries = 3;

/** Finds the session's check run on the commit and brings it up to date, or makes it: exactly one, each annotation once. */
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

/** A check run, how many annotations it has, and whether it shows all else that is wanted. */
type Progress = { run: CheckRun; sent: number; isCurrent: boolean };

async function find(
  { github }: PublishDeps,
  wanted: WantedCheckRun,
): Promise<Progress | undefined> {
  const { name, sessionId, head } = wanted;
  const request = {
    route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    parameters: { ref: head, check_name: name, filter: "all" },
    purpose: purposeOf("list the check runs of", head, "read"),
  };
  const runs = await listAll(github, request, CheckRuns);
  const [run] = runs
    .filter((each) => each.external_id === sessionId && each.name === name)
    .toSorted((one, other) => one.id - other.id);
  return run && { run, sent: run.output.annotations_count, isCurrent: isCurrent(run, wanted) };
}

function purposeOf(act: string, head: string, right: "read" | "write" = "write") {
  return {
    act: `${act} ${head.slice(0, 12)}`,
    permission: `checks: ${right}`,
    reason: "pr",
  } as const;
}

async function create({ github }: PublishDeps, wanted: WantedCheckRun): Promise<Progress> {
  const { name, sessionId: external_id, head: head_sha, detailsUrl } = wanted;
  const { data } = await github.ask({
    route: "POST /repos/{owner}/{repo}/check-runs",
    parameters: {
      name,
      external_id,
      head_sha,
      ...(detailsUrl && { details_url: detailsUrl }),
      ...checkRunBody(wanted, 0),
    },
    purpose: purposeOf("make a check run on", head_sha),
  });
  return { run: CheckRun.parse(data), sent: afterOneMore(wanted, 0), isCurrent: true };
}

/** Sends what the check run lacks, until it lacks nothing. */
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
      // It may have been taken, and annotations that are sent twice are shown twice.
      const { sent } = progress;
      const taken = await lookFor(deps.clock, () => findTaken(deps, sent, wanted));
      progress = taken ?? progress;
    }
  }
  return progress;
}

/** The check run with what was sent last in it. */
async function findTaken(
  deps: PublishDeps,
  sent: number,
  wanted: WantedCheckRun,
): Promise<Progress | undefined> {
  const now = await find(deps, wanted);
  const isAll = now?.isCurrent && now.sent >= wanted.annotations.length;
  return now && (isAll || now.sent > sent) ? now : undefined;
}

/** What GitHub answers is not asked how it looks: it may write a text in a way of its own. */
async function change(
  { github }: PublishDeps,
  { run, sent }: Progress,
  wanted: WantedCheckRun,
): Promise<Progress> {
  const { data } = await github.ask({
    route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    parameters: { check_run_id: run.id, ...checkRunBody(wanted, sent) },
    purpose: purposeOf("change our check run on", wanted.head),
  });
  return { run: CheckRun.parse(data), sent: afterOneMore(wanted, sent), isCurrent: true };
}
