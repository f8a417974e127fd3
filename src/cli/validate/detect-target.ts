import { basename, dirname } from "node:path/posix";
import type { System } from "../../platform/system.ts";
import { findTaskBlock } from "../../schema/tasks/foreign/task-block.ts";
import { hasFrontMatter } from "../../sources/front-matter.ts";
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

function kindOf(name: string, text: string): Target["kind"] {
  if (/\.ya?ml$/i.test(name)) return "config";
  if (/\.(?:md|markdown)$/i.test(name)) return markdownKind(name, text);
  if (/^\s*[{[]/.test(text)) return jsonKind(name, text);
  if (/\.json$/i.test(name)) return jsonKind(name, text);
  if (text === "") return "tasks";
  return /^(?:version|task_source|gates|git)\s*:/m.test(text) ? "config" : "unknown";
}

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

function jsonKind(name: string, text: string): Target["kind"] {
  if (isJson(text, ["prev", "seq"]) && /\.jsonl$/.test(name)) return "unknown";
  if (isJson(text, ["priority_item"])) return "analysis";
  if (isJson(text, ["run_id", "started_at"])) return "run-record";
  if (isJson(text, ["tasks"]) || isJson(text, ["userStories"])) return "tasks";
  if (isCompoundConfig(name, text)) return "compound";
  return namedKind(name);
}

const isCompoundConfig = (name: string, text: string) =>
  name === "compound.config.json" ||
  isJson(text, ["qualityChecks"]) ||
  isJson(text, ["reportsDir", "outputDir"]);

function namedKind(name: string): Target["kind"] {
  if (/^analysis.*\.json$/i.test(name)) return "analysis";
  return /^run-record.*\.json$|^\d{8}-\d{6}-[a-f0-9]+\.json$/i.test(name) ? "run-record" : "tasks";
}
