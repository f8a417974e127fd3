import * as z from "zod";
import { hasLine } from "../../text/markdown-lines.ts";
import { createOnce, sendAgain } from "../api/create-once.ts";
import { eachPage } from "../api/list-pages.ts";
import { Account, isBy } from "../api/viewer.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-deps.ts";

/** The one comment with a marker; `body` holds the marker on its own line. */
export interface WantedComment {
  /** Number of the pull request or issue. */
  number: number;
  marker: string;
  body: string;
}

export interface StickyComment {
  kind: "created" | "updated" | "unchanged";
  id: number;
  url: string;
}

const Comment = z.object({
  id: z.int(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: Account,
});
type Comment = z.infer<typeof Comment>;
const Comments = z.array(Comment);

const purposeOf = (act: string, { number }: WantedComment) =>
  ({ act: `${act} #${number}`, permission: "pull-requests: write", reason: "pr" }) as const;

/** Updates or writes the comment with this marker: exactly one (design 6). */
export async function upsertComment(
  deps: PublishDeps,
  wanted: WantedComment,
): Promise<StickyComment> {
  requireNoSecret(deps, "comment", wanted.body);
  if (!hasLine(wanted.body, wanted.marker)) throw new Error("A comment must hold its own marker.");
  const known = await find(deps, wanted);
  if (known) return update(deps, known, wanted);
  return createOnce<StickyComment>(deps.clock, {
    create: () => create(deps, wanted),
    find: async () => {
      const made = await find(deps, wanted);
      return made && { kind: "created", id: made.id, url: made.html_url };
    },
  });
}

/** The viewer's oldest comment with the marker: others may copy a marker. */
async function find(
  { github, viewer }: PublishDeps,
  wanted: WantedComment,
): Promise<Comment | undefined> {
  const request = {
    route: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    parameters: { issue_number: wanted.number },
    purpose: purposeOf("list the comments of", wanted),
  };
  for await (const comments of eachPage(github, request, Comments)) {
    const found = comments.find(
      ({ user, body }) => isBy(viewer, user) && hasLine(body ?? "", wanted.marker),
    );
    if (found) return found;
  }
  return undefined;
}

async function create({ github }: PublishDeps, wanted: WantedComment): Promise<StickyComment> {
  const { data } = await github.ask({
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    parameters: { issue_number: wanted.number, body: wanted.body },
    purpose: purposeOf("comment on", wanted),
  });
  const { id, html_url: url } = Comment.parse(data);
  return { kind: "created", id, url };
}

async function update(
  { github, clock }: PublishDeps,
  { id, html_url: url, body }: Comment,
  wanted: WantedComment,
): Promise<StickyComment> {
  const old = (body ?? "").replaceAll("\r\n", "\n").trimEnd();
  if (old === wanted.body.trimEnd()) return { kind: "unchanged", id, url };
  await sendAgain(clock, () =>
    github.ask({
      route: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
      parameters: { comment_id: id, body: wanted.body },
      purpose: purposeOf("update the comment on", wanted),
    }),
  );
  return { kind: "updated", id, url };
}
