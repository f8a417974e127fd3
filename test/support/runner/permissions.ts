import type { Json, Permissions } from "./model.ts";

const scopes = [
  ..."actions attestations checks contents deployments discussions id-token issues".split(" "),
  ..."models packages pages pull-requests security-events statuses".split(" "),
];
const levels = ["none", "read", "write"];

/** What a job's token may do when nobody says so, in a new repository. */
export const standardPermissions: Permissions = { contents: "read", packages: "read" };

/** A `permissions:` value as one level for each scope; a scope that is not named has none. */
export function permissionsOf(value: Json): Permissions | undefined {
  if (value === null) return undefined;
  if (typeof value === "object") return value as Permissions;
  const level = value === "write-all" ? "write" : "read";
  return Object.fromEntries(scopes.map((scope) => [scope, level]));
}

/** A called workflow gets no more than its caller has; asking for more stops the run before it starts. */
export function refuseMore(job: string, asked: Permissions, allowed: Permissions): void {
  for (const [scope, level] of Object.entries(asked)) {
    const limit = allowed[scope] ?? "none";
    if (levels.indexOf(level) <= levels.indexOf(limit)) continue;
    throw new Error(
      `The nested job '${job}' is requesting '${scope}: ${level}', but is only allowed '${scope}: ${limit}'.`,
    );
  }
}
