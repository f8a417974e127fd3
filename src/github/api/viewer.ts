import * as z from "zod";
import type { GitHub } from "./create-github.ts";

/** An account as GitHub names it: `ada`, or `github-actions[bot]`. */
export interface Viewer {
  login: string;
}

/** Who wrote something; null when the account is gone. */
export const Account = z.object({ login: z.string() }).nullish();
type Account = z.infer<typeof Account>;

const Answer = z.object({ viewer: z.object({ login: z.string() }) });

/** Whose token this is. GraphQL tells it for every kind of token; REST does not for those of Apps and jobs. */
export async function readViewer(github: GitHub): Promise<Viewer> {
  const answer = await github.query({
    query: "query { viewer { login } }",
    purpose: { act: "say whose token this is", permission: "metadata: read", reason: "pr" },
  });
  return { login: Answer.parse(answer).viewer.login };
}

/** Whether somebody is the viewer. Only the whole name counts: `ada` and the App `ada[bot]` are two. */
export const isBy = ({ login }: Viewer, account: Account): boolean => account?.login === login;

/** Whether this is the token every job is given: what it pushes starts no workflow. */
export const isJobToken = ({ login }: Viewer): boolean =>
  /^github-actions(?:\[bot\])?$/.test(login);
