import { type Check, pass } from "../check.ts";

/** The variables with a token, in order of precedence (design 6). */
const variables = ["GITHUB_TOKEN", "GH_TOKEN"] as const;

/** Kinds of tokens by prefix, with their rights. */
const kinds: readonly (readonly [string, string])[] = [
  ["github_pat_", "a fine-grained personal token: only its selected repositories and rights"],
  ["ghp_", "a classic personal token: its scopes, in every repository of its owner"],
  ["ghs_", "an installation token of Actions or an App: the rights of this job, for a short time"],
  ["gho_", "an OAuth token such as that of `gh auth login`: its scopes, in every repository"],
  ["ghu_", "a user token of a GitHub App: the rights of that App and that user"],
];

/** Shows the kind of the GitHub token, and that no agent receives it. */
export const githubToken: Check = {
  name: "github-token",
  needs: [],
  run: async ({ system: { env } }) => {
    const found = variables.flatMap((name) => {
      const token = env[name]?.trim();
      return token ? [`${name} is ${kindOf(token)}`] : [];
    });
    if (found.length === 0) return pass("not set; a run needs no token");
    const scrubbed =
      "  agents and gates never receive it; `exposure` shows the secrets they can read";
    return pass([found.join("\n  "), scrubbed].join("\n"));
  },
};

const kindOf = (token: string) =>
  kinds.find(([start]) => token.startsWith(start))?.[1] ?? "a token of an unknown kind";
