export const sessionFile = ".omx/state/session.json";
export const markerFile = ".omx/plans/ralph-migration-marker.json";
export const legacyPrd = ".omx/prd.json";
export const legacyProgress = ".omx/progress.txt";

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

/** The kind of a file. `session` is undefined in the root scope. */
export type OmxFile =
  | { kind: "mode"; mode: Mode; session: string | undefined }
  | { kind: "ledger"; session: string | undefined }
  | { kind: "session" | "marker" | "prd" | "legacy-prd" | "legacy-progress" };

/** Each session has a folder; the files of the root scope are above it (specs 000, "scope policy"). */
export const scopeFolder = (session: string | undefined) =>
  session === undefined ? ".omx/state" : `.omx/state/sessions/${session}`;

export const statePath = (mode: Mode, session: string | undefined) =>
  `${scopeFolder(session)}/${mode}-state.json`;

/** A lock of ralph's own, so that two ralph processes do not change a state at the same time. */
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

/** The kind of the file at a path below the project root; undefined for files of no dialect. */
export function omxFileAt(path: string): OmxFile | undefined {
  if (Object.hasOwn(single, path)) return single[path];
  if (/^\.omx\/plans\/prd-[^/]+\.md$/.test(path)) return { kind: "prd" };
  const found = scoped.exec(path);
  if (!found) return undefined;
  const [, session, name] = found;
  const mode = modes.find((each) => each === name);
  return mode === undefined ? { kind: "ledger", session } : { kind: "mode", mode, session };
}
