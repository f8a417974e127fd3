export const sessionFile = ".omx/state/session.json";
export const markerFile = ".omx/plans/ralph-migration-marker.json";
export const legacyPrd = ".omx/prd.json";
export const legacyProgress = ".omx/progress.txt";

/** Ways to work that have a file of their own. */
export const modes = [
  "ralph",
  "autopilot",
  "ultrawork",
  "ecomode",
  "team",
  "ultraqa",
  "ultrapilot",
  "pipeline",
  "ralplan",
] as const;
export type Mode = (typeof modes)[number];

/** What a file of the dialect is. `session` is undefined in the root scope. */
export type OmxFile =
  | { kind: "mode"; mode: Mode; session: string | undefined }
  | { kind: "ledger"; session: string | undefined }
  | { kind: "session" | "marker" | "prd" | "legacy-prd" | "legacy-progress" };

/** Files of a session lie in a folder of its own, those of the root scope above it (specs 000, "scope policy"). */
export const scopeFolder = (session: string | undefined) =>
  session === undefined ? ".omx/state" : `.omx/state/sessions/${session}`;

export const statePath = (mode: Mode, session: string | undefined) =>
  `${scopeFolder(session)}/${mode}-state.json`;

/** Taken by us alone, so that no two of our processes change a state at the same time. */
export const lockOf = (path: string) => `${path}.lock`;

export const ledgerPath = (session: string | undefined) =>
  `${scopeFolder(session)}/ralph-progress.json`;

export const omxPrdPath = (slug: string) => `.omx/plans/prd-${slug}.md`;

const single: Readonly<Record<string, OmxFile>> = {
  [sessionFile]: { kind: "session" },
  [markerFile]: { kind: "marker" },
  [legacyPrd]: { kind: "legacy-prd" },
  [legacyProgress]: { kind: "legacy-progress" },
};

const scoped = new RegExp(
  `^\\.omx/state/(?:sessions/([\\w-]{1,64})/)?(?:(${modes.join("|")})-state|ralph-progress)\\.json$`,
);

/** What a path below the project root is; undefined for what is none of the dialect's files. */
export function omxFileAt(path: string): OmxFile | undefined {
  if (Object.hasOwn(single, path)) return single[path];
  if (/^\.omx\/plans\/prd-[^/]+\.md$/.test(path)) return { kind: "prd" };
  const found = scoped.exec(path);
  if (!found) return undefined;
  const [, session, name] = found;
  const mode = modes.find((each) => each === name);
  return mode === undefined ? { kind: "ledger", session } : { kind: "mode", mode, session };
}
