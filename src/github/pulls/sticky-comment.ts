import { hasLine } from "../../text/markdown-lines.ts";
import { createOnce, sendAgain } from "../api/create-once.ts";
import { type Account, isBy } from "../api/viewer.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-request.ts";

/** The one comment with a marker; `body` holds the marker on its own line. */
export interface WantedComment {
  number: number;
  marker: string;
  body: string;
}

export interface StickyComment {
  kind: "created" | "updated" | "unchanged";
  id: number;
  url: string;
}

type Comment = { id: number; html_url: string; body?: string; user: Account };

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
  const all = { ...github.repo, issue_number: wanted.number, per_page: 100 };
  const [found] = await github.ask(purposeOf("list the comments of", wanted), (octokit) =>
    octokit.paginate(octokit.rest.issues.listComments, all, ({ data }, done) => {
      const marked = data.filter(
        ({ user, body }) => isBy(viewer, user) && hasLine(body ?? "", wanted.marker),
      );
      if (marked.length > 0) done();
      return marked;
    }),
  );
  return found;
}

async function create({ github }: PublishDeps, wanted: WantedComment): Promise<StickyComment> {
  const { number: issue_number, body } = wanted;
  const { data } = await github.ask(purposeOf("comment on", wanted), ({ rest }) =>
    rest.issues.createComment({ ...github.repo, issue_number, body }),
  );
  return { kind: "created", id: data.id, url: data.html_url };
}

async function update(
  { github, clock }: PublishDeps,
  { id, html_url: url, body }: Comment,
  wanted: WantedComment,
): Promise<StickyComment> {
  const old = (body ?? "").replaceAll("\r\n", "\n").trimEnd();
  if (old === wanted.body.trimEnd()) return { kind: "unchanged", id, url };
  await sendAgain(clock, () =>
    github.ask(purposeOf("update the comment on", wanted), ({ rest }) =>
      rest.issues.updateComment({ ...github.repo, comment_id: id, body: wanted.body }),
    ),
  );
  return { kind: "updated", id, url };
}
