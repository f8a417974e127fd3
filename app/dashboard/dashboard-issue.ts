import { createOnce, sendAgain } from "../../src/github/api/create-once.ts";
import { unlessExpected, unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { type Account, isBy } from "../../src/github/api/viewer.ts";
import { requireNoSecret } from "../../src/github/publication/publish-request.ts";
import { createSecretFinder } from "../../src/github/verify/find-secrets.ts";
import { hasLine } from "../../src/text/markdown-lines.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import type { Site } from "../runs/run-parts.ts";
import { dashboardMarker, dashboardTitle } from "./render-dashboard.ts";

/** The dashboard issue as it is on GitHub. */
export interface DashboardIssue {
  number: number;
  state: string;
  body?: string | null;
  user: Account;
}

const purpose = {
  act: "update the dashboard issue",
  permission: "issues: write",
  reason: "config",
} as const;

/** The issue with a number; undefined if it is not the App's dashboard, or was deleted. */
export async function readDashboard(
  { github, self }: Site,
  number: number,
): Promise<DashboardIssue | undefined> {
  const asked = github.ask(purpose, ({ rest }) =>
    rest.issues.get({ ...github.repo, issue_number: number }),
  );
  const issue = (await unlessStatus([404, 410], asked))?.data;
  return issue && isDashboard(issue, self) ? issue : undefined;
}

type Edited = { repository: { issue: { editor: { __typename: string; login: string } | null } } };

const lastEditor = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { editor { __typename login } } }
}`;

/** Whether the App made the last edit, which may have overwritten a tick made a moment before. */
export async function wasEditedByApp({ github, self }: Site, number: number): Promise<boolean> {
  const { owner, repo: name } = github.repo;
  const { repository } = await github.ask(purpose, ({ graphql }) =>
    graphql<Edited>(lastEditor, { owner, name, number }),
  );
  const { editor } = repository.issue;
  // Only the REST API adds the suffix to a bot's name.
  return editor?.__typename === "Bot" && editor.login === self.login.replace(/\[bot\]$/, "");
}

/** Anyone can copy the marker, but only the App can write as itself. */
const isDashboard = ({ user, body }: DashboardIssue, self: Site["self"]) =>
  isBy(self, user) && hasLine(body ?? "", dashboardMarker);

/** The oldest dashboard issue, open or closed. */
async function findDashboard({ github, self }: Site): Promise<DashboardIssue | undefined> {
  const oldest = { ...github.repo, state: "all", sort: "created", direction: "asc" } as const;
  const issues = await github.ask(purpose, ({ paginate, rest }) =>
    paginate(rest.issues.listForRepo, { ...oldest, creator: self.login, per_page: 100 }),
  );
  return issues.find((issue) => isDashboard(issue, self));
}

/**
 * Finds the dashboard or opens one with this text; there is never a second one. Undefined if issues are disabled, or the
 * App may not write them.
 */
export function openDashboard(site: Site, body: string): Promise<DashboardIssue | undefined> {
  const open = async () => (await findDashboard(site)) ?? (await createDashboard(site, body));
  return unlessExpected(isRepositoryUnreachable, open());
}

function createDashboard(site: Site, body: string): Promise<DashboardIssue> {
  const { github } = site;
  requireNoSecret({ findSecrets: createSecretFinder([]) }, "dashboard", body);
  return createOnce<DashboardIssue>(site.clock, {
    create: async () => {
      const { data } = await github.ask(purpose, ({ rest }) =>
        rest.issues.create({ ...github.repo, title: dashboardTitle, body }),
      );
      return data;
    },
    find: () => findDashboard(site),
  });
}

/** Changes the text, unless it is the same; whether it was written. */
export async function changeDashboard(
  { github, clock }: Site,
  { number, body: old }: DashboardIssue,
  body: string,
): Promise<boolean> {
  if (plain(old ?? "") === plain(body)) return false;
  requireNoSecret({ findSecrets: createSecretFinder([]) }, "dashboard", body);
  await sendAgain(clock, () =>
    github.ask(purpose, ({ rest }) =>
      rest.issues.update({ ...github.repo, issue_number: number, body }),
    ),
  );
  return true;
}

const plain = (text: string) => text.replaceAll("\r\n", "\n").trimEnd();
