import type { GitHub } from "./create-github.ts";

/** The account behind a token, by GitHub's name: `ada`, or `github-actions[bot]`. */
export interface Viewer {
  login: string;
}

/** An author; null when the account was deleted. */
export type Account = { login: string } | null | undefined;

/** Reads the account behind the token. GraphQL names it for every kind of token; REST not for Apps and jobs. */
export async function readViewer(github: GitHub): Promise<Viewer> {
  const { viewer } = await github.ask(
    { act: "name the owner of the token", permission: "metadata: read", reason: "pr" },
    ({ graphql }) => graphql<{ viewer: Viewer }>("query { viewer { login } }"),
  );
  return viewer;
}

/** Whether an account is the viewer. Only the whole name counts: `ada` is not the App `ada[bot]`. */
export const isBy = ({ login }: Viewer, account: Account): boolean => account?.login === login;

/** Whether this is the token every job receives; its pushes start no workflow. */
export const isJobToken = ({ login }: Viewer): boolean =>
  /^github-actions(?:\[bot\])?$/.test(login);
