import { sha256 } from "../../schema/session-files/checksum.ts";
import { onOneLine } from "../../schema/tasks/foreign/words.ts";
import { jsonValue } from "../../text/json-value.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ForeignFile, ForeignTree } from "../dialect.ts";
import { checkBy, parsedBy, renderJson, wholeFile } from "../json-text.ts";
import { ledgerPath, legacyPrd, legacyProgress, markerFile, omxPrdPath } from "./paths.ts";
import { prdsOf } from "./prd-block.ts";
import { shortSlug } from "./render-prd.ts";
import { type OmxLedger, OmxMarker } from "./schema/files.ts";
import { currentSession } from "./scope.ts";

const strategy = "one-way-read-only";
type Migration = { source: string; source_sha256: string; canonical_path: string };

/**
 * The older list and progress in the current format, if not there yet (specs 000, "canonical sources"). The older files
 * stay; the marker records the source of each new file, so nothing is done twice.
 */
export function upgradeFiles(tree: ForeignTree, now: string): ForeignFile[] {
  const marker = parseMarker(tree.get(markerFile)) ?? {};
  const prd = upgradePrd(tree, marker);
  const progress = upgradeProgress(tree, { marker, now });
  if (!prd && !progress) return [];
  const text = renderJson({
    compatibility_window: "legacy-read-only-one-release-cycle",
    ...marker,
    ...(prd && { prd_migration: { ...prd.migration, strategy } }),
    ...(progress && { progress_migration: { ...progress.migration, strategy } }),
  });
  const made = [prd, progress].flatMap((each) =>
    each ? wholeFile(each.migration.canonical_path, each.text) : [],
  );
  return [...made, wholeFile(markerFile, text)];
}

const parseMarker = parsedBy(checkBy(OmxMarker));

type Upgraded = { text: string; migration: Migration };

const isDone = (tree: ForeignTree, known: Migration | undefined, digest: string) =>
  known?.source_sha256 === digest && tree.has(known.canonical_path);

function upgradePrd(tree: ForeignTree, { prd_migration }: OmxMarker): Upgraded | undefined {
  const source = tree.get(legacyPrd);
  const value = jsonValue(source ?? "");
  if (source === undefined || value === undefined) return undefined;
  const digest = sha256(source);
  if (prdsOf(tree).some(({ isOurs }) => !isOurs) || isDone(tree, prd_migration, digest)) {
    return undefined;
  }
  const title = titleOf(value);
  const canonical_path = freePath(tree, shortSlug(title));
  const migration = { source: legacyPrd, source_sha256: digest, canonical_path };
  return { text: renderMigrated(title, digest, value), migration };
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
  return `# ${title}

> Migrated from legacy \`${legacyPrd}\` (read-only compatibility import).

## Migration Marker

- Source: \`${legacyPrd}\`
- Source SHA256: \`${digest}\`
- Strategy: ${strategy}

## Legacy Snapshot

\`\`\`json
${JSON.stringify(value, null, 2)}
\`\`\`
`;
}

function upgradeProgress(tree: ForeignTree, { marker, now }: { marker: OmxMarker; now: string }) {
  const source = tree.get(legacyProgress);
  if (source === undefined) return undefined;
  const digest = sha256(source);
  const path = ledgerPath(currentSession(tree));
  if (tree.has(path) || isDone(tree, marker.progress_migration, digest)) return undefined;
  const migration = { source: legacyProgress, source_sha256: digest, canonical_path: path };
  const lines = source.split(/\r?\n/).map((line) => line.trim());
  const ledger: OmxLedger = {
    ...{ schema_version: 2, source: legacyProgress, source_sha256: digest, strategy },
    ...{ created_at: now, updated_at: now },
    entries: lines.filter(Boolean).map((text, index) => ({ index: index + 1, text })),
    visual_feedback: [],
  };
  return { text: renderJson(ledger), migration };
}
