import { posix } from "node:path";
import { selectedTasks } from "../../core/decide/task-order.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { gateResults } from "../summary/proof.ts";
import { isGreen } from "../summary/summary-proof.ts";
import { type GateMessage, gateMessages } from "./gate-messages.ts";
import { workflowCommand } from "./workflow-command.ts";

/** A note that GitHub shows beside a line of a file; `file` is a path of the project. */
export interface Annotation extends GateMessage {
  gate: string;
}

export interface Annotations {
  shown: readonly Annotation[];
  left: { errors: number; warnings: number };
}

/** GitHub shows so many annotations of a level for one step, and silently drops the rest. */
const maxOfLevel = 10;

/** The gates that are red on the newest tree of a task that did not pass. */
export function redGates(state: SessionState): FactOf<"gate_end">[] {
  const open = selectedTasks(state).filter(({ state }) => state !== "passed");
  return open.flatMap(gateResults).filter((result) => !isGreen(result));
}

/** The places in the project's files that the outputs name, each once, up to the limit of a step. */
export function annotationsOf(
  gates: readonly { gate: string; output: string }[],
  project: AnnotatedFiles,
): Annotations {
  const pathOf = annotationPaths(project);
  const found = new Map<string, Annotation>();
  for (const { gate, output } of gates) {
    for (const message of gateMessages(output)) {
      const file = pathOf(message.file);
      if (file === undefined) continue;
      const key = JSON.stringify([file, message.line, message.message]);
      if (!found.has(key)) found.set(key, { ...message, gate, file });
    }
  }
  return limited([...found.values()]);
}

function limited(all: readonly Annotation[]): Annotations {
  const { error = [], warning = [] } = Object.groupBy(all, ({ level }) => level);
  const left = [error, warning].map(({ length }) => Math.max(0, length - maxOfLevel));
  return {
    shown: [error, warning].flatMap((each) => each.slice(0, maxOfLevel)),
    left: { errors: left[0] ?? 0, warnings: left[1] ?? 0 },
  };
}

/** The commands that make a runner show them. `below`: the project's folder in the checkout, empty at its root. */
export function renderAnnotations({ shown, left }: Annotations, below = ""): string[] {
  const rest = [
    left.errors > 0 ? counted(left.errors, "more error") : [],
    left.warnings > 0 ? counted(left.warnings, "more warning") : [],
  ].flat();
  const note = rest.length > 0 ? [`· ${rest.join(" and ")}: see the logs of the gates`] : [];
  return [...shown.map((annotation) => renderAnnotation(annotation, below)), ...note];
}

export function renderAnnotation(annotation: Annotation, below = ""): string {
  const { level, message, gate, line, column } = annotation;
  const file = below === "" ? annotation.file : `${below}/${annotation.file}`;
  const title = plainLine(`Gate ${gate}`, 100);
  return workflowCommand(level, plainLine(message, 1000), { file, line, col: column, title });
}

/** The files that outputs of gates may name. */
export interface AnnotatedFiles {
  root: string;
  /**
   * Paths of the project's files, as git lists them. If given, a path is matched by its ending too, because a gate may run
   * in a subfolder, and paths of other files are dropped. If absent, paths are used as printed.
   */
  files?: readonly string[];
}

/** Maps a printed path to a path of the project; undefined for a path outside. Results are cached. */
function annotationPaths({ root, files }: AnnotatedFiles) {
  const known = new Map<string, string | undefined>();
  const listed = files && new Set(files);
  return (printed: string): string | undefined => {
    if (known.has(printed)) return known.get(printed);
    const path = insideProject(printed, root);
    const found = path && listed ? listedPath(path, listed) : path;
    known.set(printed, found);
    return found;
  };
}

function insideProject(printed: string, root: string): string | undefined {
  const isAbsolute = printed.startsWith(`${root}/`);
  const path = posix.normalize(isAbsolute ? printed.slice(root.length + 1) : printed);
  const isOutside =
    path.startsWith("/") || /(?:^|\/)(?:\.\.|\.git|node_modules)(?:\/|$)/.test(path);
  return isOutside || path === "." || /[\p{Cc}\\]/u.test(path) ? undefined : path;
}

function listedPath(path: string, listed: ReadonlySet<string>): string | undefined {
  if (listed.has(path)) return path;
  const ending = `/${path}`;
  const matches = [...listed].filter((file) => file.endsWith(ending));
  return matches.length === 1 ? matches[0] : undefined;
}
