import type { Reply, Seen } from "../github/server.ts";
import { type AppGitHub, appSlug, self } from "./github.ts";

/** An issue as GitHub has it. */
export interface FakeIssue {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  user: { login: string; id: number; type: string };
  /** Who has changed its text last. */
  editor?: { __typename: string; login: string };
}

/** Issues of `octo/example`, which anybody with a token may open and change; answers them as they are. */
export function serveIssues(github: AppGitHub): FakeIssue[] {
  const issues: FakeIssue[] = [];
  github.more = (asked, { body }) => {
    if (asked === "POST /api/graphql") return answerEditor(issues, body);
    const [, method = "", number] =
      /^(GET|POST|PATCH) \/repos\/octo\/example\/issues(?:\/(\d+))?$/.exec(asked) ?? [];
    if (method === "POST") return createIssue(issues, body);
    if (number !== undefined) return answerIssue(issues, { number, change: body });
    return method === "GET" ? { body: issues.map(shown) } : undefined;
  };
  return issues;
}

/** Whatever is sent along changes it, in our name. */
function answerIssue(
  issues: readonly FakeIssue[],
  { number, change }: { number: string; change: Seen["body"] },
): Reply {
  const issue = issues.find((each) => each.number === Number(number));
  if (!issue) return { status: 404, body: { message: "Not Found" } };
  if (change) Object.assign(issue, change, { editor: ourselves });
  return { body: shown(issue) };
}

/** REST does not name the editor. */
const shown = ({ editor: _, ...issue }: FakeIssue) => ({ ...issue });

/** As GraphQL names a bot. */
const ourselves = { __typename: "Bot", login: appSlug };

function answerEditor(issues: readonly FakeIssue[], body: Seen["body"]): Reply {
  const { variables } = body as { variables: { number: number } };
  const editor = issues.find(({ number }) => number === variables.number)?.editor ?? null;
  return { body: { data: { repository: { issue: { editor } } } } };
}

function createIssue(issues: FakeIssue[], body: Seen["body"]): Reply {
  const { title, body: text } = body as FakeIssue;
  const issue: FakeIssue = {
    ...{ number: 500 + issues.length, title, body: text },
    ...{ state: "open", user: { ...self } },
  };
  issues.push(issue);
  return { status: 201, body: { ...issue } };
}
