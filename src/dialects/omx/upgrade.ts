import { sha256 } from "../../schema/session-files/checksum.ts";
import { onOneLine } from "../../schema/tasks/foreign/words.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ForeignFile, ForeignTree } from "../dialect.ts";
import { parseAs, parseText, renderJson } from "../json-text.ts";
import { ledgerPath, legacyPrd, legacyProgress, markerFile, omxPrdPath } from "./paths.ts";
import { shortSlug } from "./render-prd.ts";
import { type OmxLedger, OmxMarker } from "./schema/files.ts";
import { currentSession } from "./scope.ts";
import { prdsOf } from "./tasks.ts";

const strategy = "one-way-read-only";
type Migration = { source: string; source_sha256: string; canonical_path: string };

/**
 * The older list and progress in the current format, if not there yet (specs 000, "canonical sources"). The older files
 * stay; the marker records the source of each new file, so nothing is done twice.
 */
export function upgradeFiles(tree: ForeignTree, now: string): ForeignFile[] {
  const marker = parseMarker(tree.get(markerFile));
  const prd = upgradePrd(tree, marker);
  const progress = upgradeProgress(tree, { marker, now });
  if (!prd && !progress) return [];
  const text = renderJson({
    compatibility_window: "legacy-read-only-one-release-cycle",
    ...marker,
    ...(prd && { prd_migration: { ...prd.migration, strategy } }),
    ...(progress && { progress_migration: { ...progress.migration, strategy } }),
  });
  const made = [prd, progress].flatMap((each) => (each ? [fileOf(each)] : []));
  return [...made, { path: markerFile, locks: [], text }];
}

const parseMarker = (text: string | undefined): OmxMarker => parseAs(OmxMarker, text) ?? {};

type Upgraded = { text: string; migration: Migration };

const fileOf = ({ text, migration }: Upgraded): ForeignFile => ({
  path: migration.canonical_path,
  locks: [],
  text,
});

const isDone = (tree: ForeignTree, known: Migration | undefined, digest: string) =>
  known?.source_sha256 === digest && tree.has(known.canonical_path);

function upgradePrd(tree: ForeignTree, { prd_migration }: OmxMarker): Upgraded | undefined {
  const source = tree.get(legacyPrd);
  const value = parseText(source ?? "");
  if (source === undefined || value === undefined) return undefined;
  const digest = sha256(source);
  if (prdsOf(tree).some(({ isOurs }) => !isOurs) || isDone(tree, prd_migration, digest)) {
    return undefined;
  }
  const title = titleOf(value);
  return {
    text: renderMigrated(title, digest, value),
    migration: {
      source: legacyPrd,
      source_sha256: digest,
      canonical_path: freePath(tree, shortSlug(title)),
    },
  };
}

function freePath(tree: ForeignTree, slug: string): string {
  for (let number = 0; ; number += 1) {
    const path = omxPrdPath(number === 0 ? slug : `${slug}-${number}`);
    if (!tree.has(path)) return path;
  }
}

function titleOf(value: unknown): string {
  const head = typeof value === "object" && value !== null ? { ...value } : {};
  const { project, title, branchName, description } = head as Record<string, unknown>;
  const named = [project, title, branchName, description].map((each) =>
    typeof each === "string" ? plainLine(onOneLine(each)) : "",
  );
  return named.find((each) => each !== "") ?? "Legacy Ralph PRD";
}

function renderMigrated(title: string, digest: string, value: unknown): string {
  return [
    `# ${title}`,
    "",
    `> Migrated from legacy \`${legacyPrd}\` (read-only compatibility import).`,
    "",
    "## Migration Marker",
    "",
    `- Source: \`${legacyPrd}\``,
    `- Source SHA256: \`${digest}\``,
    `- Strategy: ${strategy}`,
    "",
    "## Legacy Snapshot",
    "",
    "```json",
    JSON.stringify(value, null, 2),
    "```",
    "",
  ].join("\n");
}

function upgradeProgress(
  tree: ForeignTree,
  { marker, now }: { marker: OmxMarker; now: string },
): Upgraded | undefined {
  const source = tree.get(legacyProgress);
  if (source === undefined) return undefined;
  const digest = sha256(source);
  const path = ledgerPath(currentSession(tree));
  if (tree.has(path) || isDone(tree, marker.progress_migration, digest)) return undefined;
  const migration = { source: legacyProgress, source_sha256: digest, canonical_path: path };
  const ledger: OmxLedger = {
    schema_version: 2,
    source: legacyProgress,
    source_sha256: digest,
    strategy,
    created_at: now,
    updated_at: now,
    entries: entriesOf(source),
    visual_feedback: [],
  };
  return { text: renderJson(ledger), migration };
}

const entriesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line, index) => ({ index: index + 1, text: line }));
