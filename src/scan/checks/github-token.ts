import { type Check, pass } from "../check.ts";

/** Which variables may hold one, the one that wins first (design 6). */
const variables = ["GITHUB_TOKEN", "GH_TOKEN"] as const;

/** By the beginning of a token; what each one may do. */
const kinds: readonly (readonly [string, string])[] = [
  [
    "github_pat_",
    "a fine-grained personal token: only the repositories and rights it was made for",
  ],
  ["ghp_", "a classic personal token: its scopes, in every repository of its owner"],
  ["ghs_", "an installation token of Actions or an App: the rights of this job, for a short time"],
  ["gho_", "an OAuth token such as that of `gh auth login`: its scopes, in every repository"],
  ["ghu_", "a user token of a GitHub App: the rights of that App and that user"],
];

/** What kind of GitHub token there is, by name only, and that no agent gets it. */
export const githubToken: Check = {
  name: "github-token",
  needs: [],
  run: async ({ system: { env } }) => {
    const found = variables.flatMap((name) => {
      const token = env[name]?.trim();
      return token ? [`${name} is ${kindOf(token)}`] : [];
    });
    if (found.length === 0) return pass("none is set; a run needs none");
    const scrubbed =
      "  agents and gates are never given it; what else they can read tells `exposure`";
    return pass([found.join("\n  "), scrubbed].join("\n"));
  },
};

const kindOf = (token: string) =>
  kinds.find(([start]) => token.startsWith(start))?.[1] ??
  "a token of a kind this check does not know";
