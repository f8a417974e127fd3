import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { slug } from "../../schema/tasks/foreign/words.ts";
import { renderHeading, renderParagraph } from "../../views/documents/render-request.ts";
import type { ForeignFile } from "../dialect.ts";
import { createMemo } from "../session-facts.ts";
import { omxPrdPath } from "./paths.ts";

const marker = "<!-- ralph:prd -->";

/** Whether ralph has written a document. */
export const isOurPrd = (text: string) => text.includes(marker);

/**
 * The list of a session as a canonical document; another tool's document of the same name stays. It is removed once
 * nothing of it is open, so that it does not become the tool's own first list.
 */
export function renderOmxPrd(state: SessionState): ForeignFile {
  const isDone = state.tasks.every((task) => task.state === "passed");
  const ours = isDone ? "" : textOf(state);
  const merge = (text: string | undefined) => {
    if (text !== undefined && !isOurPrd(text)) return undefined;
    return isDone ? null : ours;
  };
  return { path: omxPrdPath(shortSlug(state.session.project)), locks: [], ours, merge };
}

/** The subject in a document's file name (compatibility 2). */
export const shortSlug = (title: string) => slug(title).slice(0, 48).replace(/-+$/, "") || "legacy";

const memo = createMemo<string>();

/** Rendered again only after a pass: nothing else of the list changes in a session. */
const textOf = (state: SessionState) =>
  memo(state, state.tasks.flatMap(passedIn).join(" "), () => render(state));

const passedIn = ({ task, state, subtasksDone }: TaskState) => [
  ...(state === "passed" ? [task.id] : []),
  ...subtasksDone,
];

function render({ session, tasks }: SessionState): string {
  const { project, description, branch } = session;
  const list = { project, branchName: branch, description, tasks: tasks.map(entryOf) };
  const parts = [
    renderHeading(1, project),
    `${marker}\n> Written by ralph for session ${session.session_id} from its own list; changes here are lost.`,
    renderParagraph(description),
    "## Task List",
    ["```json", JSON.stringify(list, null, 2), "```"].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function entryOf({ task, state, subtasksDone }: TaskState): object {
  const passes = state === "passed";
  const subtasks = task.subtasks?.map((each) => ({
    ...each,
    passes: passes || each.passes || subtasksDone.includes(each.id),
  }));
  return { ...task, passes, ...(subtasks && { subtasks }) };
}
