import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";

const Repository = z.object({ default_branch: z.string().min(1) });

/** The branch whose workflows and configuration count. */
export async function readDefaultBranch(github: GitHub): Promise<string> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}",
    purpose: { act: "read the repository", permission: "metadata: read", reason: "claim" },
  });
  return Repository.parse(data).default_branch;
}
