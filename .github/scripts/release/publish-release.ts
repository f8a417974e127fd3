import { RalphError } from "../../../src/error.ts";
import { checkSource } from "./check-source.ts";
import { type Commits, createCommits } from "./commits.ts";
import { readDist, renderChecksums, requireChecksums } from "./dist.ts";
import { createGit } from "./git.ts";
import { type Pushed, pushTags } from "./push-tags.ts";
import { measuredIn, renderNotes } from "./render-notes.ts";
import { changesOf, type Version } from "./version.ts";

export type ReleaseRequest = {
  /** A checkout of the tagged commit; its `origin` is where the tags are pushed. */
  root: string;
  version: Version;
  repository: string;
  /** Folder of the build. */
  dist: string;
  /** Checksums of the build, as the job that made it told them. */
  told: string;
  token: string;
};

export type Release = { commits: Commits; pushed: Pushed; notes: string };

/** Publishes a build: two commits, the tags, the text of the release. Repeated, it finds everything in place. */
export function publishRelease(request: ReleaseRequest): Release {
  const { root, version, repository } = request;
  const git = createGit(root, credentials(request.token));
  checkSource(git, version);
  const dist = readDist(request.dist);
  requireChecksums(dist, request.told);
  const commit = git.line(["rev-parse", "HEAD"]);
  const commits = createCommits(git, { version, commit, repository, dist });
  const pushed = pushTags(git, { version, commit, release: commits.release });
  const changes = changesOf(git.text(["show", "HEAD:CHANGELOG.md"]), version) ?? "";
  const checksums = renderChecksums(dist);
  const measured = measuredIn(git.text(["show", "HEAD:README.md"]), { repository, version });
  const notes = renderNotes({ version, changes, measured, checksums, repository, commit });
  return { commits, pushed, notes };
}

/** In the environment, so that the token is in no argument and in no file. */
function credentials(token: string): Record<string, string> {
  if (token === "") {
    throw new RalphError("config", {
      message: "There is no RELEASE_TOKEN.",
      remedy:
        "Store a token with Contents and Workflows: write as RELEASE_TOKEN in the environment `release`; a workflow's own token may not push changed workflow files.",
    });
  }
  const value = Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.https://github.com/.extraheader",
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${value}`,
    GIT_TERMINAL_PROMPT: "0",
  };
}
