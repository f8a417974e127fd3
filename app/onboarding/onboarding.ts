import { createOnce } from "../../src/github/api/create-once.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { isBy } from "../../src/github/api/viewer.ts";
import { requireNoSecret } from "../../src/github/publication/publish-request.ts";
import type { Pull } from "../../src/github/pulls/pull.ts";
import { createSecretFinder } from "../../src/github/verify/find-secrets.ts";
import { Triggers } from "../../src/schema/config/publishing.ts";
import type { Place } from "../access/place.ts";
import type { JobTask } from "../jobs/job.ts";
import { answerJob, type NewJob } from "../jobs/new-job.ts";
import { refreshRepository } from "../repositories/refresh-repository.ts";
import { readRepositoryFacts } from "../repositories/repository-facts.ts";
import { isOnList } from "../rules/authority.ts";
import { openSite, type RunParts, type Site } from "../runs/run-parts.ts";
import { createLabels } from "./create-labels.ts";
import { remoteFiles } from "./remote-files.ts";
import { createSetupBranch, readRemoteBranch, setupBranch } from "./setup-branch.ts";
import { planSetup, type Setup, type SetupFile } from "./setup-files.ts";
import { renderSetupPull, setupMarker, setupTitle } from "./setup-pull-body.ts";
import { throttledOfferJob } from "./throttle-onboarding.ts";

/**
 * Checks what a repository lacks to work with the App. A setup pull request offers it once; closing it declines the offer.
 * Archived, disabled, forked, empty and complete repositories get none. Returns the jobs that follow: the offers of one
 * installation are spread over time.
 */
export async function onboard(
  parts: RunParts,
  { id, data: { place: given } }: JobTask<"welcome">,
): Promise<NewJob[]> {
  const place = await refreshRepository(parts, given);
  if (!place) return [];
  const site = await openSite(parts, place);
  await createLabels(site);
  return (await planFirstOffer(site)) ? [throttledOfferJob(id, place)] : [];
}

/** Opens the setup pull request, unless it has become unnecessary. */
export async function openSetupPull(parts: RunParts, given: Place): Promise<void> {
  const place = await refreshRepository(parts, given);
  const site = place && (await openSite(parts, place));
  const plan = site && (await planFirstOffer(site));
  if (plan) await openPlanned(site, plan);
}

/**
 * Opens the setup pull request because a person asks for it in a comment: now, also in a fork, and again after it was
 * closed. Returns the answer.
 */
export async function setUpNow(
  parts: RunParts,
  { id, data: { place: given, issue, comment } }: JobTask<"setup">,
): Promise<NewJob[]> {
  const place = await refreshRepository(parts, given);
  if (!place) return [];
  const body = `${await openAsked(await openSite(parts, place))}\n`;
  return [answerJob(id, { place, issue, comment, body })];
}

async function openAsked(site: Site): Promise<string> {
  const before = await findOffer(site);
  if (before?.state === "open") return `The setup pull request is open: #${before.number}.`;
  const plan = await planOffer(site);
  if (typeof plan === "string") return plan;
  if (before && !before.merged_at && (await reopen(site, before))) {
    return `The setup pull request is open again: #${before.number}.`;
  }
  const opened = await openPlanned(site, plan);
  return opened
    ? `The setup pull request is open: #${opened.number}.`
    : `There is a branch \`${setupBranch}\` that the App did not make, or the App may not write here. Delete the branch, or add the files that \`ralph init\` writes.`;
}

/** False if GitHub refuses, because the branch was deleted. */
async function reopen({ github }: Site, { number }: Pull): Promise<boolean> {
  const wanted = { ...github.repo, pull_number: number, state: "open" } as const;
  const asked = github.ask(
    { act: `reopen #${number}`, permission: "pull-requests: write", reason: "pr" },
    ({ rest }) => rest.pulls.update(wanted),
  );
  return (await unlessStatus([422], asked)) !== undefined;
}

interface Plan {
  base: string;
  tip: string;
  setup: Setup;
}

async function openPlanned(site: Site, { base, tip, setup }: Plan): Promise<Pull | undefined> {
  const commit = await makeOffer(site, { setup, base: tip });
  if (commit === undefined) return undefined;
  return openOffer(site, { base, body: await bodyOf(site, { setup, commit }) });
}

/** An unasked offer is made once, and neither to forks nor to repositories that their owner leaves out. */
async function planFirstOffer(site: Site): Promise<Plan | undefined> {
  const { fork } = await readRepositoryFacts(site.github);
  if (fork || (await findOffer(site))) return undefined;
  const plan = await planOffer(site);
  return typeof plan === "string" ? undefined : plan;
}

/** The missing files and their base, or why there is nothing to offer. */
async function planOffer({ access, github, place }: Site): Promise<Plan | string> {
  const { default_branch: base, archived, disabled } = await readRepositoryFacts(github);
  if (archived || disabled) return "The repository is archived or disabled.";
  const organization = await access.organization(place);
  if (!isOnList(organization?.settings.repositories, place.repository)) {
    return `\`repositories\` in \`.ralph/organization.yml\` of ${organization?.place.repository} leaves this repository out.`;
  }
  const tip = await readRemoteBranch(github, base);
  if (tip === undefined) return "The repository is empty; push a first commit.";
  const setup = await planSetup(await remoteFiles(github, tip), base);
  return filesOf(setup).length > 0
    ? { base, tip, setup }
    : "Nothing is missing: the default branch has the configuration and the workflow.";
}

/** The commit of a branch with the files the App may write; undefined if it may write none. */
async function makeOffer(
  site: Site,
  { setup, base }: { setup: Setup; base: string },
): Promise<string | undefined> {
  const { config, workflow } = setup;
  const files = filesOf(setup);
  const whole = await createSetupBranch(site, { base, files });
  if (whole.kind === "ready") return whole.commit;
  if (whole.kind === "foreign" || !config || !workflow) return undefined;
  const part = await createSetupBranch(site, { base, files: [config] });
  return part.kind === "ready" ? part.commit : undefined;
}

const filesOf = ({ config, workflow }: Setup): SetupFile[] =>
  [config, workflow].filter((file) => file !== undefined);

/** The pull request's text; it contains the workflow if the branch does not. */
async function bodyOf(
  { github }: Site,
  { setup, commit }: { setup: Setup; commit: string },
): Promise<string> {
  const there = await remoteFiles(github, commit);
  const isThere = await Promise.all(filesOf(setup).map(({ path }) => there.stat(path)));
  const files = filesOf(setup).filter((_, index) => isThere[index]);
  const byHand = setup.workflow && !files.includes(setup.workflow) ? setup.workflow : undefined;
  const { found, gates } = setup.detected;
  return renderSetupPull({ found, gates, files, byHand, label: Triggers.parse({}).label });
}

/** An earlier setup pull request, open or closed. */
async function findOffer({ github, self }: Site): Promise<Pull | undefined> {
  const head = `${github.repo.owner}:${setupBranch}`;
  const all = { ...github.repo, state: "all", head, per_page: 100 } as const;
  const pulls = await github.ask(
    { act: "list the pull requests", permission: "pull-requests: read", reason: "pr" },
    ({ paginate, rest }) => paginate(rest.pulls.list, all),
  );
  return pulls.find(({ user, body }) => isBy(self, user) && body?.includes(setupMarker));
}

async function openOffer(
  site: Site,
  { body, base }: { body: string; base: string },
): Promise<Pull> {
  const { github, clock } = site;
  requireNoSecret({ findSecrets: createSecretFinder([]) }, "pull request", body);
  return createOnce<Pull>(clock, {
    create: async () => {
      const act = `open a pull request from ${setupBranch}`;
      const wanted = { ...github.repo, head: setupBranch, base, title: setupTitle, body };
      const { data } = await github.ask(
        { act, permission: "pull-requests: write", reason: "pr" },
        ({ rest }) => rest.pulls.create(wanted),
      );
      return data;
    },
    find: () => findOffer(site),
  });
}
