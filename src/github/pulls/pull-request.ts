import { RalphError } from "../../error.ts";
import type { PullMarker } from "../../views/pull-request/pull-marker.ts";
import { createOnce, sendAgain } from "../api/create-once.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-deps.ts";
import { findOnBranch, findPullStatus } from "./find-marked.ts";
import { Pull, type PullQuery } from "./pull.ts";

/** The pull request a run wants; `body` holds its marker. */
export interface WantedPull {
  branch: string;
  base: string;
  title: string;
  body: string;
  marker: PullMarker;
  /** `limits.open_prs`. */
  maxOpen: number;
  again?: PullQuery["again"];
}

/**
 * `created` as a draft, where the repository has drafts. `adopted`: there was one of ours. `merged`, `rejected`: a person
 * has decided; nothing is opened again. `full`: there are as many open ones of ours as there may be.
 */
export type OpenedPull =
  | { kind: "created" | "adopted" | "merged" | "rejected"; pull: Pull }
  | { kind: "full"; others: readonly Pull[] };

/** Right after a push GitHub may not know the branch yet: refused, so nothing was made. */
const transientMs = [2000, 4000] as const;

/** Finds the run's pull request or opens it as a draft: exactly one, whatever fails and however often it is tried. */
export async function openPull(deps: PublishDeps, wanted: WantedPull): Promise<OpenedPull> {
  requireNoSecret(deps, "pull request", `${wanted.title}\n${wanted.body}`);
  const claimed = { ...wanted, viewer: deps.viewer };
  const standing = await findPullStatus(deps.github, claimed);
  switch (standing.kind) {
    case "none":
      return create(deps, claimed);
    case "open":
      return { kind: "adopted", pull: await update(deps, standing.pull, wanted) };
    case "foreign":
      throw foreign(standing.pull, deps);
    default:
      return standing;
  }
}

type Claim = WantedPull & PullQuery;
type Made = { kind: "created" | "adopted"; pull: Pull };

async function create(deps: PublishDeps, claim: Claim, isDraft = true): Promise<OpenedPull> {
  for (const pauseMs of [...transientMs, undefined]) {
    try {
      return await createOnce<Made>(deps.clock, {
        create: () => send(deps, claim, isDraft),
        find: () => findMade(deps, claim),
        meansExists: (error) => saysOf(error, /already exists/i),
      });
    } catch (error) {
      if (isDraft && saysOf(error, /draft pull requests are not supported/i))
        return create(deps, claim, false);
      if (pauseMs === undefined || !saysOf(error, isNotThereYet)) throw error;
      await deps.clock.sleep(pauseMs);
    }
  }
  throw new Error("unreachable: the last pause is none");
}

/** Words of the refusals that pass by themselves once a push is known everywhere. */
const isNotThereYet = /No commits between|"field":"head","code":"invalid"/i;

/** A refusal for what was asked (422) that says so. */
function saysOf(error: unknown, words: RegExp): boolean {
  return httpStatusOf(error) === 422 && error instanceof RalphError && words.test(error.message);
}

async function send({ github }: PublishDeps, claim: Claim, draft: boolean): Promise<Made> {
  const { branch: head, base, title, body } = claim;
  try {
    const { data } = await github.ask({
      route: "POST /repos/{owner}/{repo}/pulls",
      parameters: { head, base, title, body, draft, maintainer_can_modify: false },
      purpose: {
        act: `open a pull request from ${head}`,
        permission: "pull-requests: write",
        reason: "pr",
      },
    });
    return { kind: "created", pull: Pull.parse(data) };
  } catch (error) {
    throw withSetting(error);
  }
}

/** GitHub's words for this refusal name no place to go to (F52). */
function withSetting(error: unknown): unknown {
  if (!(error instanceof RalphError) || !/not permitted to create/i.test(error.message)) {
    return error;
  }
  return new RalphError("pr", {
    message: error.message,
    remedy:
      'Tick "Allow GitHub Actions to create and approve pull requests" under Settings, Actions, General, or give the token of an App; then publish again.',
    cause: error.cause,
  });
}

async function findMade(deps: PublishDeps, claim: Claim): Promise<Made | undefined> {
  const standing = await findOnBranch(deps.github, claim);
  if (standing.kind === "foreign") throw foreign(standing.pull, deps);
  if (standing.kind !== "open") return undefined;
  return { kind: "adopted", pull: await update(deps, standing.pull, claim) };
}

/** Title and text become those of this run; nothing is sent when they are. */
async function update(
  { github, clock }: PublishDeps,
  pull: Pull,
  { title, body }: WantedPull,
): Promise<Pull> {
  const old = (pull.body ?? "").replaceAll("\r\n", "\n").trimEnd();
  if (pull.title === title && old === body.trimEnd()) return pull;
  const { data } = await sendAgain(clock, () =>
    github.ask({
      route: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
      parameters: { pull_number: pull.number, title, body },
      purpose: {
        act: `change pull request #${pull.number}`,
        permission: "pull-requests: write",
        reason: "pr",
      },
    }),
  );
  return Pull.parse(data);
}

function foreign({ number, html_url, user, head }: Pull, { viewer }: PublishDeps): RalphError {
  return new RalphError("pr", {
    message: `Pull request #${number} is open for ${head.ref} already and was not opened by ${viewer.login}, but by ${user?.login ?? "somebody unknown"}: ${html_url}`,
    remedy: "Close it, or run again with another `branchName`; it was left as it is.",
  });
}
