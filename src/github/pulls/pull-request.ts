import { RalphError } from "../../error.ts";
import { parsePullMarker } from "../../views/pull-request/pull-marker.ts";
import { createOnce, isUnsure, sendAgain } from "../api/create-once.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-request.ts";
import { keepText } from "./keep-text.ts";
import { findOnBranch, findPullStatus, type Pull, type PullQuery } from "./pull.ts";
import { withPullSetting } from "./pull-right.ts";

/** A pull request to open; `body` holds the marker. */
export interface WantedPull extends Omit<PullQuery, "viewer"> {
  base: string;
  title: string;
  body: string;
}

/**
 * `created`: opened, as a draft if the repository has drafts. `adopted`: ralph had opened it before. `merged`,
 * `rejected`: a person has decided; it is not opened again. `full`: as many as allowed are open.
 */
export type OpenedPull =
  | { kind: "created" | "adopted" | "merged" | "rejected"; pull: Pull }
  | { kind: "full"; others: readonly Pull[] };

/** Pauses while GitHub does not know a new branch yet and refuses. */
const transientMs = [2000, 4000] as const;

/** Finds the run's pull request or opens it as a draft: exactly one, after any failure and any number of tries. */
export async function openPull(deps: PublishDeps, wanted: WantedPull): Promise<OpenedPull> {
  requireNoSecret(deps, "pull request", `${wanted.title}\n${wanted.body}`);
  const query = { ...wanted, viewer: deps.viewer };
  const status = await findPullStatus(deps.github, query);
  switch (status.kind) {
    case "none":
      return create(deps, query);
    case "open":
      return { kind: "adopted", pull: await update(deps, status.pull, wanted) };
    case "foreign":
      throw foreign(status.pull, deps);
    default:
      return status;
  }
}

type Creation = WantedPull & PullQuery;
type FoundPull = { kind: "created" | "adopted"; pull: Pull };

async function create(deps: PublishDeps, creation: Creation, isDraft = true): Promise<OpenedPull> {
  for (const pauseMs of [...transientMs, undefined]) {
    try {
      return await createOnce<FoundPull>(deps.clock, {
        create: () => send(deps, creation, isDraft),
        find: () => findMade(deps, creation),
        meansExists: (error) => isRefusal(error, /already exists/i),
      });
    } catch (error) {
      if (isDraft && isRefusal(error, /draft pull requests are not supported/i))
        return create(deps, creation, false);
      if (pauseMs === undefined || !isRefusal(error, isNotThereYet)) throw error;
      await deps.clock.sleep(pauseMs);
    }
  }
  throw new Error("unreachable: the last try has no pause");
}

/** Refusals that end once GitHub knows the push everywhere. */
const isNotThereYet = /No commits between|"field":"head","code":"invalid"/i;

/** Whether GitHub refused the content of a request (422) with such a message. */
function isRefusal(error: unknown, pattern: RegExp): boolean {
  return httpStatusOf(error) === 422 && error instanceof RalphError && pattern.test(error.message);
}

const purposeOf = (act: string) =>
  ({ act, permission: "pull-requests: write", reason: "pr" }) as const;

async function send(
  { github }: PublishDeps,
  { branch: head, base, title, body }: Creation,
  draft: boolean,
): Promise<FoundPull> {
  try {
    const parameters = { ...github.repo, head, base, title, body, draft };
    const { data } = await github.ask(purposeOf(`open a pull request from ${head}`), ({ rest }) =>
      rest.pulls.create({ ...parameters, maintainer_can_modify: false }),
    );
    return { kind: "created", pull: data };
  } catch (error) {
    throw withPullSetting(error);
  }
}

async function findMade(deps: PublishDeps, creation: Creation): Promise<FoundPull | undefined> {
  const status = await findOnBranch(deps.github, creation);
  if (status.kind === "foreign") throw foreign(status.pull, deps);
  if (status.kind !== "open") return undefined;
  return { kind: "adopted", pull: await update(deps, status.pull, creation) };
}

/** Updates title and text, if they differ. The title of an earlier run stays. */
async function update(
  { github, clock }: PublishDeps,
  pull: Pull,
  wanted: WantedPull,
): Promise<Pull> {
  const old = (pull.body ?? "").replaceAll("\r\n", "\n").trimEnd();
  const body = keepText(old, wanted.body);
  const isFirst = parsePullMarker(old)?.run === wanted.marker.run;
  const title = isFirst ? wanted.title : pull.title;
  if (pull.title === title && old === body.trimEnd()) return pull;
  const { data } = await sendAgain(clock, () =>
    github.ask(purposeOf(`update pull request #${pull.number}`), ({ rest }) =>
      rest.pulls.update({ ...github.repo, pull_number: pull.number, title, body }),
    ),
  );
  return data;
}

function foreign({ number, html_url, user, head }: Pull, { viewer }: PublishDeps): RalphError {
  return new RalphError("pr", {
    message: `Pull request #${number} for ${head.ref} is already open, by ${user?.login ?? "an unknown account"} instead of ${viewer.login}: ${html_url}`,
    remedy: "Close it, or run again with another `branchName`; it was left unchanged.",
  });
}

const readyMutation = `mutation($id: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

/** Marks an open draft as ready for review, which only GraphQL can do. Leaves any other pull request alone. */
export async function markReady(
  { github, clock }: Pick<PublishDeps, "github" | "clock">,
  pull: Pull,
): Promise<Pull> {
  if (!pull.draft || pull.state !== "open") return pull;
  const { number, node_id: id } = pull;
  const purpose = purposeOf(`mark pull request #${number} as ready for review`);
  return sendAgain(clock, async () => {
    try {
      await github.ask(purpose, ({ graphql }) => graphql(readyMutation, { id }));
      return { ...pull, draft: false };
    } catch (error) {
      if (httpStatusOf(error) !== undefined && !isUnsure(error)) throw error;
      // It may have worked, or someone else was faster: then GitHub refuses.
      const { data: now } = await github.ask(
        { ...purpose, permission: "pull-requests: read" },
        ({ rest }) => rest.pulls.get({ ...github.repo, pull_number: number }),
      );
      if (!now.draft || now.state !== "open") return now;
      throw error;
    }
  });
}
