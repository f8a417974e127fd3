import type { FactOf } from "./event.ts";
import type { SessionState, TaskState } from "./session-state.ts";
import type { Steering, SteeringCommand } from "./steering-command.ts";

/** Whether a command is journaled already in this form: one from an edited comment is new. */
export function isHeard({ steering }: SessionState, order: SteeringCommand): boolean {
  const { comment } = order;
  const known = JSON.stringify(inOrder(order));
  return steering.heard.some(
    (before) => before.comment === comment && JSON.stringify(inOrder(before)) === known,
  );
}

const inOrder = (order: SteeringCommand) =>
  Object.entries(order).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Why a command changes nothing; undefined when it changes something. */
export function refusalReason(state: SessionState, order: SteeringCommand): string | undefined {
  if (!("task" in order) || order.task === undefined) return undefined;
  const { task: id, verb } = order;
  const found = state.tasks.find(({ task }) => task.id === id);
  const what = `\`/ralph ${verb} ${id}\``;
  if (!found) {
    const known = state.tasks.map(({ task }) => task.id).join(", ");
    return `${what} changes nothing: there is no task ${id}. The list has ${known}.`;
  }
  return found.state === "passed" ? `${what} changes nothing: ${id} has passed.` : undefined;
}

/** The state after a command; a refused one is recorded and has no other effect. */
export function steer(state: SessionState, { order, refused }: FactOf<"steered">): SessionState {
  const others = withoutComment(state.steering, order);
  const steering = { ...others, heard: [...others.heard, order] };
  if (refused !== undefined) {
    // A command for one task must not restart others.
    const again = order.verb === "retry" && { again: state.steering.again ?? [] };
    const warnings = [...state.warnings, refused];
    return { ...state, steering: { ...steering, ...again }, warnings };
  }
  return { ...state, steering: { ...steering, ...changeOf({ ...state, steering }, order) } };
}

/** Removes the effect of a comment's earlier version. */
function withoutComment(steering: Steering, { comment }: SteeringCommand): Steering {
  const isOther = (before: SteeringCommand) => before.comment !== comment;
  const heard = steering.heard.filter(isOther);
  if (comment === undefined) return { ...steering, heard };
  const skipped = Object.entries(steering.skipped).filter(([, order]) => isOther(order));
  const hints = steering.hints.filter(isOther);
  return { ...steering, heard, hints, skipped: Object.fromEntries(skipped) };
}

function changeOf(state: SessionState, order: SteeringCommand): Partial<Steering> {
  const { hints, skipped } = state.steering;
  switch (order.verb) {
    case "hint":
      return { hints: [...hints, order] };
    case "skip":
      return { skipped: { ...skipped, [order.task]: order } };
    case "budget":
      return { budgetUsd: order.usd };
    case "retry":
      return order.task === undefined ? { again: givenUp(state) } : retried(state, order.task);
  }
}

/** The task is no longer skipped. A task that has not failed continues with all the others. */
function retried(state: SessionState, id: string): Partial<Steering> {
  const { [id]: _, ...skipped } = state.steering.skipped;
  const { again = [] } = state.steering;
  const hasGivenUp = state.tasks.some((task) => task.task.id === id && gaveUp(task));
  return { skipped, ...(hasGivenUp && { again: [...again, id] }) };
}

const givenUp = ({ tasks }: SessionState) => tasks.filter(gaveUp).map(({ task }) => task.id);

const gaveUp = ({ state }: TaskState) => state === "failed" || state === "blocked";

/** Whether a task restarts when the session resumes; interrupted tasks continue in any case. */
export function restarts({ steering: { again } }: SessionState, task: TaskState): boolean {
  if (task.state === "passed") return false;
  return !gaveUp(task) || again === undefined || again.includes(task.task.id);
}

/** The steering after its restarts have been applied. */
export function withoutRestart({ again: _, ...steering }: Steering): Steering {
  return steering;
}

/** A task that is left out, and why. */
export interface LeftOut {
  task: TaskState;
  /** `skipped by ada`, or `needs T-003`. */
  because: string;
}

/** Skipped tasks, and tasks that need them; in order of work. */
export function leftOutTasks({ tasks, session, steering: { skipped } }: SessionState): LeftOut[] {
  if (Object.keys(skipped).length === 0) return [];
  const { selected } = session;
  const open = tasks.filter(({ state, task }) => state !== "passed" && selected.includes(task.id));
  const reasons = reasonsOf(open, skipped);
  return open.flatMap((task) => {
    const because = reasons.get(task.task.id);
    return because === undefined ? [] : [{ task, because }];
  });
}

function reasonsOf(open: readonly TaskState[], skipped: Steering["skipped"]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const { task } of open) {
    const order = Object.hasOwn(skipped, task.id) ? skipped[task.id] : undefined;
    if (order) reasons.set(task.id, `skipped by ${order.by}`);
  }
  for (let size = -1; size !== reasons.size; ) {
    size = reasons.size;
    for (const { task } of open.filter((each) => !reasons.has(each.task.id))) {
      const needed = task.dependsOn?.find((id) => reasons.has(id));
      if (needed !== undefined) reasons.set(task.id, `needs ${needed}`);
    }
  }
  return reasons;
}

/** `T-003 (skipped by ada), T-004 (needs T-003)`; empty when nothing is left out. */
export function describeLeftOut(state: SessionState): string {
  return leftOutTasks(state)
    .map(({ task, because }) => `${task.task.id} (${because})`)
    .join(", ");
}

/** Whether a session has ended with nothing left to do. */
export function isAllDone(state: SessionState): boolean {
  const reason = state.end?.reason;
  const isDone = reason === "all_done" || reason === "nothing_to_do";
  return isDone && leftOutTasks(state).length === 0;
}
