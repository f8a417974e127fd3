/** The kind and owner of a file. Older versions had one file of each kind for all plans. */
export type ClaudeRalphFile =
  | { kind: "queue" | "retries" | "progress"; plan: string | undefined; isArchived: boolean }
  | { kind: "agent"; agent: string };

export const folder = ".claude/ralph";
const archive = `${folder}/archive`;
const queueLock = `${folder}/task-queue.lock`;

const kinds = { "task-queue": "queue", "retry-queue": "retries", progress: "progress" } as const;

const planned =
  /^\.claude\/ralph\/(archive\/[^/]+\/)?(task-queue|retry-queue|progress)(?:-([^/]+))?\.json$/;

/** The kind of a file; undefined for a file of no dialect. */
export function claudeRalphFileAt(path: string): ClaudeRalphFile | undefined {
  const [, agent] = /^\.claude\/ralph\/agent-state-([^/]+)\.json$/.exec(path) ?? [];
  if (agent !== undefined) return { kind: "agent", agent };
  const [, archive, name, plan] = planned.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { kind: kinds[name as keyof typeof kinds], plan, isArchived: archive !== undefined };
}

/** The three files of a plan; with a session, their paths in the archive. */
export function planPaths(plan: string, session?: string) {
  const place = session === undefined ? folder : `${archive}/${session}`;
  return {
    queue: `${place}/task-queue-${plan}.json`,
    retries: `${place}/retry-queue-${plan}.json`,
    progress: `${place}/progress-${plan}.json`,
  };
}

/** The archive folder of an imported plan. */
export const importedFolder = (plan: string, number: number) =>
  `${archive}/taken-${plan}${number > 1 ? `-${number}` : ""}`;

/** The place of a file in the archive of a session. */
export const archivePath = (session: string, name: string) => `${archive}/${session}/${name}`;

export const agentPath = (agent: string) => `${folder}/agent-state-${agent}.json`;

/** The specified lock, then the one that the real program takes for a file in use (compatibility 3). */
export const locksOf = (path: string): readonly string[] =>
  path.startsWith(`${archive}/`) ? [queueLock] : [queueLock, path.replace(/\.json$/, ".lock")];

/** A branch as part of a file name: `ralph/add-login` is `ralph-add-login`. */
export function planIdOf(branch: string): string {
  const name = branch.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return name.replace(/^-+|-+$/g, "").slice(0, 80) || "plan";
}
