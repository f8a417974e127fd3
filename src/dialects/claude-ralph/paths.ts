/** What a file of the dialect holds, and whose it is. Older versions had one file of each kind, for any plan. */
export type ClaudeRalphFile =
  | { kind: "queue" | "retries" | "progress"; plan: string | undefined; isArchived: boolean }
  | { kind: "agent"; agent: string };

export const folder = ".claude/ralph";
const archive = `${folder}/archive`;
const queueLock = `${folder}/task-queue.lock`;

const kinds = { "task-queue": "queue", "retry-queue": "retries", progress: "progress" } as const;

const planned =
  /^\.claude\/ralph\/(archive\/[^/]+\/)?(task-queue|retry-queue|progress)(?:-([^/]+))?\.json$/;

/** Undefined for what is no file of the dialect. */
export function claudeRalphFileAt(path: string): ClaudeRalphFile | undefined {
  const [, agent] = /^\.claude\/ralph\/agent-state-([^/]+)\.json$/.exec(path) ?? [];
  if (agent !== undefined) return { kind: "agent", agent };
  const [, archive, name, plan] = planned.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { kind: kinds[name as keyof typeof kinds], plan, isArchived: archive !== undefined };
}

/** The three files of a plan; with a session, where they are kept once it is over. */
export function planPaths(plan: string, session?: string) {
  const place = session === undefined ? folder : `${archive}/${session}`;
  return {
    queue: `${place}/task-queue-${plan}.json`,
    retries: `${place}/retry-queue-${plan}.json`,
    progress: `${place}/progress-${plan}.json`,
  };
}

/** Where a plan that was taken over is kept as it was. */
export const importedFolder = (plan: string, number: number) =>
  `${archive}/taken-${plan}${number > 1 ? `-${number}` : ""}`;

export const agentPath = (agent: string) => `${folder}/agent-state-${agent}.json`;

/** The lock the specification names, then the one its programs take for each file in use (compatibility 3). */
export const locksOf = (path: string): readonly string[] =>
  path.startsWith(`${archive}/`) ? [queueLock] : [queueLock, `${path}.lock`];

/** A branch as one word that can stand in a file name: `ralph/add-login` is `ralph-add-login`. */
export function planIdOf(branch: string): string {
  const words = branch.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return words.replace(/^-+|-+$/g, "").slice(0, 80) || "plan";
}
