import { isScalar, LineCounter, parseDocument } from "yaml";

type Mapping = Record<string, unknown>;
type Path = readonly (string | number)[];

export interface Step extends Mapping {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

export interface Job extends Mapping {
  steps?: Step[];
  uses?: string;
}

/** A workflow or an action as a policy sees it: its values, and where they stand. */
export interface WorkflowFile {
  content: Mapping & { jobs?: Record<string, Job> };
  /** Names of the events that start it; none for an action. */
  events: readonly string[];
  isAction: boolean;
  jobs: readonly { id: string; job: Job; path: Path }[];
  steps: readonly { step: Step; job: Job; path: Path }[];
  lineOf(path: Path): number;
  /** The comment behind a value. */
  commentOf(path: Path): string;
}

/** Reads the text of a workflow or of a composite action. */
export function parseWorkflowFile(text: string): WorkflowFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const content = (document.toJS() ?? {}) as WorkflowFile["content"];
  const jobs = Object.entries(content.jobs ?? {}).map(([id, job]) => ({
    ...{ id, job, path: ["jobs", id] },
  }));
  const runs = content.runs as Job | undefined;
  const holders = runs === undefined ? jobs : [{ job: runs, path: ["runs"] }];
  const nodeAt = (path: Path) => document.getIn(path, true);
  return {
    content,
    events: eventsOf(content.on),
    isAction: runs !== undefined,
    jobs,
    steps: holders.flatMap(({ job, path }) =>
      (job.steps ?? []).map((step, index) => ({ step, job, path: [...path, "steps", index] })),
    ),
    lineOf(path) {
      const node = nodeAt(path) as { range?: [number, number, number] } | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
      return path.length === 0 ? 1 : this.lineOf(path.slice(0, -1));
    },
    commentOf(path) {
      const node = nodeAt(path);
      return isScalar(node) ? (node.comment ?? "").trim() : "";
    },
  };
}

function eventsOf(on: unknown): string[] {
  if (typeof on === "string") return [on];
  return Array.isArray(on) ? on.map(String) : Object.keys((on as Mapping | undefined) ?? {});
}
