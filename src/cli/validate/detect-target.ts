import { basename, dirname } from "node:path/posix";
import type { System } from "../../platform/system.ts";
import { findTaskBlock } from "../../schema/tasks/foreign/task-block.ts";
import { hasFrontMatter } from "../../sources/parse-yaml.ts";
import { dialectOf } from "./check-state-file.ts";
import type { SessionPart, Target } from "./target.ts";

/** Reads at most this much to detect the kind of a file. */
const maxBytes = 64 * 1024 * 1024;

type NamedPath = Pick<Target, "path" | "shown">;
type FileAccess = Pick<System, "files">;

/** Detects the kind of a file by its name, else by its content (specs 004, all native files). */
export async function detectTarget(system: FileAccess, given: NamedPath): Promise<Target> {
  const name = basename(given.path);
  const stat = await system.files(dirname(given.path)).stat(name);
  if (stat?.kind === "folder") return { kind: "session", ...given };
  if (dialectOf(given.path)) return { kind: "state", ...given };
  if (/^organization\.ya?ml$/.test(name)) return { kind: "organization", ...given };
  if (name === "AGENTS.md") return { kind: "agents-md", ...given };
  if (/^progress.*\.(?:txt|md)$/i.test(name)) return { kind: "progress", ...given };
  const text = stat?.kind === "file" ? await readTargetText(system, given.path) : "";
  const part = sessionPart(name, text);
  if (part) return sessionTarget(system, given, part);
  return { kind: kindOf(name, text), ...given };
}

/** The text of a file; empty if it cannot be read: the check reports why. */
export async function readTargetText({ files }: FileAccess, path: string): Promise<string> {
  try {
    return (await files(dirname(path)).read(basename(path), { maxBytes }))?.toString() ?? "";
  } catch {
    return "";
  }
}

const hasKey = (text: string, key: string) => new RegExp(`"${key}"\\s*:`).test(text);

function sessionPart(name: string, text: string): SessionPart | undefined {
  if (name === "task-status.sha256") return { kind: "status", name: "task-status.json" };
  if (name === "task-status.json" || isJson(text, ["checksum", "last_updated"])) {
    return { kind: "status", name };
  }
  if (name === "session.json" || isJson(text, ["session_id", "session_token"])) {
    return { kind: "session", name };
  }
  const isTimeline = /^timeline.*\.jsonl$/.test(name) || /^\{[^\n]*"event"\s*:/.test(text);
  return isTimeline && !isJson(text, ["prev", "seq"]) ? { kind: "timeline", name } : undefined;
}

/** A file inside of a session folder is checked together with the whole folder. */
async function sessionTarget(
  { files }: FileAccess,
  { path, shown }: NamedPath,
  part: SessionPart,
): Promise<Target> {
  const isLog = part.kind === "timeline" && basename(dirname(path)) === "logs";
  const above = (of: string) => (isLog ? dirname(dirname(of)) : dirname(of));
  const folder = above(path);
  if (await files(folder).stat("session.json")) {
    return { kind: "session", path: folder, shown: above(shown) };
  }
  const name = isLog ? `logs/${part.name}` : part.name;
  return { kind: "session", path: folder, shown, part: { ...part, name } };
}

const isJson = (text: string, keys: readonly string[]) =>
  /^\s*\{/.test(text) && keys.every((key) => hasKey(text, key));

type Fit = readonly [kind: Target["kind"], fits: (name: string, text: string) => boolean];

function kindOf(name: string, text: string): Target["kind"] {
  if (/\.ya?ml$/i.test(name)) return "config";
  if (/\.(?:md|markdown)$/i.test(name)) return markdownKind(name, text);
  const isLikeJson = /^\s*[{[]/.test(text) || /\.json$/i.test(name);
  const kinds = isLikeJson ? jsonKinds : plainKinds;
  return kinds.find(([, fits]) => fits(name, text))?.[0] ?? (isLikeJson ? "tasks" : "unknown");
}

const plainKinds: readonly Fit[] = [
  ["tasks", (_, text) => text === ""],
  ["config", (_, text) => /^(?:version|task_source|gates|git)\s*:/m.test(text)],
];

/** Content comes before names. */
const jsonKinds: readonly Fit[] = [
  ["unknown", (name, text) => isJson(text, ["prev", "seq"]) && /\.jsonl$/.test(name)],
  ["analysis", (_, text) => isJson(text, ["priority_item"])],
  ["run-record", (_, text) => isJson(text, ["run_id", "started_at"])],
  ["tasks", (_, text) => isJson(text, ["tasks"]) || isJson(text, ["userStories"])],
  ["compound", (name) => name === "compound.config.json"],
  ["compound", (_, text) => isJson(text, ["qualityChecks"])],
  ["compound", (_, text) => isJson(text, ["reportsDir", "outputDir"])],
  ["analysis", (name) => /^analysis.*\.json$/i.test(name)],
  ["run-record", (name) => /^run-record.*\.json$|^\d{8}-\d{6}-[a-f0-9]+\.json$/i.test(name)],
];

/** Generated documents have front matter, change requests have a task list; all other Markdown is prose. */
export function documentKind(text: string): "prd" | "cr" | undefined {
  if (/^\uFEFF?---\s/.test(text) && /^generated_by[ \t]*:/m.test(text)) return "prd";
  return findTaskBlock(text).kind === "found" ? "cr" : undefined;
}

function markdownKind(name: string, text: string): Target["kind"] {
  const kind = documentKind(text);
  if (kind) return kind;
  if (/^prd-/i.test(name) && hasFrontMatter(text)) return "prd";
  return /^(?:agents|changelog|claude|readme)\./i.test(name) ? "unknown" : "cr";
}
