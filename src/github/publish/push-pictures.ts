import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { buildAlone } from "../../git/commits/build-commit.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { pictureKind, readEvidenceBytes } from "../../journal/evidence.ts";
import type { Files } from "../../platform/system.ts";
import { choosePictures, pictureLines } from "../../views/pull-request/pull-pictures.ts";
import type { GitHub } from "../api/create-github.ts";
import { fetchTip, pushBranch, type Remote, readRemote } from "../api/remote.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";

/** A picture that is larger is not published. */
const maxBytes = 1024 * 1024;

const nothingShown = "The pull request shows no pictures";

type Pictured = Pick<SessionDraft, "state" | "head">;
type Deps = { github: GitHub; remote: Remote; bundle: Files; log: (line: string) => void };

/**
 * Pushes a session's pictures to a branch that has nothing else, and returns the lines that show them (`pr.images: branch`).
 * No upload of pictures accepts a workflow's token. Without the right to push there, the pull request has no pictures.
 */
export async function publishPictures(deps: Deps, draft: Pictured): Promise<string[]> {
  const groups = choosePictures(draft.state);
  const named = groups.flatMap(({ pictures }) => pictures);
  if (named.length === 0) return [];
  const files = [];
  for (const { file, ref } of named) {
    const content = await readEvidenceBytes(deps.bundle, ref);
    // The bundle was made where agents worked.
    if (pictureKind(content) === undefined || content.byteLength > maxBytes) {
      deps.log(`${nothingShown}: ${file} is no picture, or larger than 1 MiB.`);
      return [];
    }
    files.push({ path: file, content });
  }
  const branch = pictureBranch(draft.state);
  const commit = await pushFiles(deps, draft, { branch, files }).catch(unlessGit(deps));
  if (commit === undefined) return [];
  deps.log(`Pushed ${files.length} pictures to ${branch}.`);
  const { apiUrl, repository } = deps.github;
  const server = apiUrl.replace(/^https:\/\/api\./, "https://").replace(/\/api\/v3$/, "");
  const address = `${server}/${repository}/blob/${commit}`;
  return pictureLines(groups, (file) => `${address}/${file}?raw=true`);
}

/** The branch that has a session's pictures and nothing else. */
export const pictureBranch = ({ session }: SessionState) => `ralph/evidence/${session.session_id}`;

/** The same session makes the same commit; pictures that a later part of it adds come on top. */
async function pushFiles(
  { remote }: Deps,
  { state, head }: Pictured,
  { branch, files }: { branch: string; files: readonly { path: string; content: Buffer }[] },
): Promise<string> {
  const date = state.end?.at ?? state.ts;
  const message = `Pictures of session ${state.session.session_id}`;
  const content = { files, like: head, message, date };
  const alone = await buildAlone(remote.repo, { ...content, parents: [] });
  const { tip: from } = await readRemote(remote, branch);
  let to = alone;
  if (from !== undefined && from !== alone) {
    if (!(await fetchTip(remote, branch, from))) throw movedMeanwhile(branch);
    const isSame = (await treeOf(remote.repo, from)) === (await treeOf(remote.repo, alone));
    to = isSame ? from : await buildAlone(remote.repo, { ...content, parents: [from] });
  }
  if (from === to) return to;
  const pushed = await pushBranch(remote, { branch, from, to });
  if (pushed.kind !== "pushed") throw movedMeanwhile(branch);
  return to;
}

const movedMeanwhile = (branch: string) =>
  new RalphError("git", {
    message: `${branch} was changed by someone else meanwhile.`,
    remedy: "Publish again: run `ralph publish`.",
  });

/** A rule of the repository may forbid such a branch; the work is published all the same. */
const unlessGit =
  ({ log }: Deps) =>
  (error: unknown): undefined => {
    if (!(error instanceof RalphError) || error.reason !== "git") throw error;
    log(`${nothingShown}: ${error.message}`);
    return undefined;
  };
