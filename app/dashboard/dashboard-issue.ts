import * as z from "zod";
import { createOnce, sendAgain } from "../../src/github/api/create-once.ts";
import { listAll } from "../../src/github/api/list-pages.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { Account, isBy } from "../../src/github/api/viewer.ts";
import { requireNoSecret } from "../../src/github/publication/publish-deps.ts";
import { createSecretFinder } from "../../src/github/verify/find-secrets.ts";
import { hasLine } from "../../src/text/markdown-lines.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import type { Commenter } from "../runs/progress-comment.ts";
import { dashboardMarker, dashboardTitle } from "./render-dashboard.ts";

const Issue = z.object({
  number: z.int(),
  state: z.enum(["open", "closed"]),
  body: z.string().nullish(),
  user: Account,
});
const Issues = z.array(Issue);

/** The dashboard as GitHub has it now. */
export type DashboardIssue = z.output<typeof Issue>;

const purpose = {
  act: "keep the dashboard issue",
  permission: "issues: write",
  reason: "config",
} as const;

/** The issue with a number, as long as it is our dashboard; undefined: it is not, or is gone. */
export async function readDashboard(
  { github, self }: Pick<Commenter, "github" | "self">,
  number: number,
): Promise<DashboardIssue | undefined> {
  try {
    const { data } = await github.ask({
      route: "GET /repos/{owner}/{repo}/issues/{issue_number}",
      parameters: { issue_number: number },
      purpose,
    });
    const issue = Issue.parse(data);
    return isOurs(issue, self) ? issue : undefined;
  } catch (error) {
    if ([404, 410].includes(httpStatusOf(error) ?? 0)) return undefined;
    throw error;
  }
}

const Edited = z.object({
  repository: z.object({
    issue: z.object({ editor: z.object({ __typename: z.string(), login: z.string() }).nullish() }),
  }),
});

const lastEditor = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { editor { __typename login } } }
}`;

/** Whether the text was last changed by us: then we may have written over a tick that was made a moment before. */
export async function wasEditedByApp(
  { github, self }: Pick<Commenter, "github" | "self">,
  number: number,
): Promise<boolean> {
  const [owner, name] = github.repository.split("/");
  const variables = { owner, name, number };
  const answer = Edited.parse(await github.query({ query: lastEditor, variables, purpose }));
  const { editor } = answer.repository.issue;
  // Only REST puts the suffix behind a bot's name.
  return editor?.__typename === "Bot" && editor.login === self.login.replace(/\[bot\]$/, "");
}

/** Anybody may copy the marker, but not write in our name. */
const isOurs = ({ user, body }: DashboardIssue, self: Commenter["self"]) =>
  isBy(self, user) && hasLine(body ?? "", dashboardMarker);

/** The oldest one of ours, also when it is closed. */
async function findDashboard({ github, self }: Commenter): Promise<DashboardIssue | undefined> {
  const request = {
    route: "GET /repos/{owner}/{repo}/issues",
    parameters: { creator: self.login, state: "all", sort: "created", direction: "asc" },
    purpose,
  };
  return (await listAll(github, request, Issues)).find((issue) => isOurs(issue, self));
}

/**
 * Finds the dashboard, or opens it with a text; exactly one. Undefined: the repository has no issues, or the App may not
 * write any.
 */
export async function openDashboard(
  speaker: Commenter,
  body: string,
): Promise<DashboardIssue | undefined> {
  try {
    return (await findDashboard(speaker)) ?? (await createDashboard(speaker, body));
  } catch (error) {
    if (isRepositoryUnreachable(error)) return undefined;
    throw error;
  }
}

function createDashboard(speaker: Commenter, body: string): Promise<DashboardIssue> {
  requireNoSecret({ findSecrets: createSecretFinder([]) }, "dashboard", body);
  return createOnce<DashboardIssue>(speaker.clock, {
    create: async () => {
      const { data } = await speaker.github.ask({
        route: "POST /repos/{owner}/{repo}/issues",
        parameters: { title: dashboardTitle, body },
        purpose,
      });
      return Issue.parse(data);
    },
    find: () => findDashboard(speaker),
  });
}

/** Writes a text unless it stands there. */
export async function changeDashboard(
  { github, clock }: Commenter,
  { number, body: old }: DashboardIssue,
  body: string,
): Promise<void> {
  if (plain(old ?? "") === plain(body)) return;
  requireNoSecret({ findSecrets: createSecretFinder([]) }, "dashboard", body);
  await sendAgain(clock, () =>
    github.ask({
      route: "PATCH /repos/{owner}/{repo}/issues/{issue_number}",
      parameters: { issue_number: number, body },
      purpose,
    }),
  );
}

const plain = (text: string) => text.replaceAll("\r\n", "\n").trimEnd();
