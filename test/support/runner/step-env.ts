import { compileCache } from "../project/compile-cache.ts";
import type { Permissions, Texts } from "./model.ts";
import type { Scope } from "./scope.ts";
import { textOf } from "./tokens.ts";

/** Keys of the `github` context that every step finds in its environment. */
const exported = [
  ..."action action_path action_ref action_repository actor actor_id api_url base_ref".split(" "),
  ..."env event_name event_path graphql_url head_ref job output path ref ref_name".split(" "),
  ..."ref_protected ref_type repository repository_id repository_owner".split(" "),
  ..."repository_owner_id retention_days run_attempt run_id run_number server_url sha".split(" "),
  ..."state step_summary triggering_actor workflow workflow_ref workflow_sha workspace".split(" "),
];

/** The whole environment of a step: nothing is inherited but `PATH`, and nobody can set the runner's own variables. */
export function stepEnv(scope: Scope, own: Texts): Texts {
  const { job } = scope;
  const { PATH = "" } = process.env;
  return {
    PATH: [...job.path.toReversed(), PATH].join(":"),
    HOME: job.place.home,
    CI: "true",
    ...compileCache,
    ...job.host.env,
    ...job.env,
    ...scope.env,
    ...own,
    ...runnerEnv(scope),
  };
}

function runnerEnv({ job, github, contexts }: Scope): Texts {
  const known = exported.filter((key) => github[key] !== undefined && github[key] !== null);
  const runner = Object.entries(contexts.runner ?? {});
  return {
    ...Object.fromEntries(
      known.map((key) => [`GITHUB_${key.toUpperCase()}`, textOf(github[key] ?? "")]),
    ),
    ...Object.fromEntries(runner.map(([key, value]) => [`RUNNER_${key.toUpperCase()}`, value])),
    GITHUB_ACTIONS: "true",
    RUNNER_TRACKING_ID: job.trackingId,
    ...(job.isDebug && { RUNNER_DEBUG: "1" }),
    ...identityEnv(job.permissions),
  };
}

/** Where a job that may mint identity tokens would ask for one. */
function identityEnv(permissions: Permissions): Texts {
  if (permissions["id-token"] !== "write") return {};
  return {
    ACTIONS_ID_TOKEN_REQUEST_URL: "http://127.0.0.1:9/token",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "id-token-request-token",
  };
}
