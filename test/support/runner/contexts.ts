import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { smallGit } from "../project/small-shell.ts";
import type { JobPlace, Json } from "./model.ts";

/** The `github` context of a run on the repository's present commit; `given` replaces keys. */
export function githubContext(
  repository: string,
  given: Record<string, Json>,
): Record<string, Json> {
  const ref = String(given.ref ?? "refs/heads/main");
  const full = String(given.repository ?? "octo/example");
  return {
    repository: full,
    repository_owner: full.split("/")[0] ?? "",
    repository_id: "1",
    repository_owner_id: "2",
    sha: headOf(repository),
    ref,
    ref_name: ref.replace(/^refs\/(?:heads|tags|pull)\//, ""),
    ref_type: ref.startsWith("refs/tags/") ? "tag" : "branch",
    ref_protected: false,
    base_ref: "",
    head_ref: "",
    event_name: "workflow_dispatch",
    event: {},
    actor: "ada",
    actor_id: "3",
    triggering_actor: "ada",
    run_id: "1001",
    run_number: "1",
    run_attempt: "1",
    retention_days: "90",
    server_url: "https://github.com",
    api_url: "https://api.github.com",
    graphql_url: "https://api.github.com/graphql",
    token: "ghs_0123456789abcdefghijklmnopqrstuvwxyz",
    ...given,
  };
}

function headOf(repository: string): string {
  const { PATH, HOME } = process.env;
  return smallGit(["rev-parse", "--verify", "HEAD"], { cwd: repository, env: { PATH, HOME } });
}

export function runnerContext({ temp, toolCache }: JobPlace): Record<string, Json> {
  return {
    name: "runner-1",
    os: process.platform === "darwin" ? "macOS" : "Linux",
    arch: process.arch.toUpperCase(),
    environment: "github-hosted",
    temp,
    tool_cache: toolCache,
  };
}

/** Fresh folders for one job. */
export function createPlace(folder: string, repository: string): JobPlace {
  const name = repository.split("/").at(-1) ?? "";
  const place = {
    workspace: join(folder, "work", name, name),
    temp: join(folder, "work/_temp"),
    home: join(folder, "home"),
    toolCache: join(folder, "tools"),
  };
  for (const path of Object.values(place)) mkdirSync(path, { recursive: true });
  return place;
}
