import type { Edit } from "jsonc-parser";
import type { SessionState } from "../../core/state/session-state.ts";
import { renderStamp } from "../../text/figures.ts";
import { cut } from "../../text/plain-text.ts";
import { parseCompletionReport } from "../summary/completion-report.ts";
import { renderProofLine } from "../summary/proof.ts";
import { type PassedTask, passedTasks } from "../summary/totals.ts";
import type { SpliceView } from "../view.ts";
import { spliceForeignList } from "./foreign-list.ts";
import { editItems, findItems, type ListedItem } from "./prd-offsets.ts";

const maxNotes = { task: 5000, subtask: 2000 };

/**
 * The task list: sets `passes` and `notes` of the tasks that passed in this session; every other byte stays
 * (compatibility 1.16). Notes are written once, together with `passes`. In Markdown and in lists of other tools only the
 * pass is written.
 */
export const prdJson: SpliceView = {
  kind: "splice",
  name: "prd",
  path: ({ session }) => session.source.path,
  splice,
};

function splice(text: string | undefined, state: SessionState): string | undefined {
  const passed = passedTasks(state);
  if (text === undefined || passed.length === 0) return text;
  const isMarkdown = state.session.source.type === "cr_markdown";
  const items = isMarkdown ? undefined : findItems(text);
  if (!items || items.size === 0) {
    return spliceForeignList(text, {
      isMarkdown,
      passed: new Set(passed.map(({ task }) => task.id)),
    });
  }
  const verdicts = passed.flatMap(renderVerdicts);
  const edits = verdicts.flatMap(({ id, notes, max }) => {
    const item = items.get(id);
    return item ? editsOf(text, item, { notes, max }) : [];
  });
  return editItems(text, edits);
}

type Verdict = { id: string; notes: string; max: number };

/** Notes for a passed task and its subtasks; a promoted subtask is a task of its own. */
function renderVerdicts(passed: PassedTask): Verdict[] {
  const { task, endedAt, subtasksDone } = passed;
  const notes = `Passed with ${task.id} on ${renderStamp(endedAt)} UTC.`;
  const subtasks = subtasksDone.map((id) => ({ id, notes, max: maxNotes.subtask }));
  return [{ id: task.id, notes: renderNotes(passed), max: maxNotes.task }, ...subtasks];
}

/** The proof comes first, so a long report cannot push it out. */
function renderNotes(task: PassedTask): string {
  const { changes, verification } = parseCompletionReport(task.claim ?? "");
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [`${title}:`, ...items.map((item) => `- ${item}`)] : [];
  return [
    renderProofLine(task),
    ...list("Changes", changes),
    ...list("Verification as reported", verification),
  ].join("\n");
}

function editsOf(text: string, item: ListedItem, { notes, max }: Omit<Verdict, "id">): Edit[] {
  const { passes } = item;
  if (passes.value !== false) return [];
  const turned = { offset: passes.offset, length: passes.length, content: "true" };
  return [turned, ...notesEdit(text, item, { notes, max })];
}

/** New notes follow the existing ones, which keep their bytes; notes that are full stay as they are. */
function notesEdit(text: string, item: ListedItem, { notes, max }: Omit<Verdict, "id">): Edit[] {
  const { passes, notes: old } = item;
  if (!old) {
    const { gap, colon } = styleOf(text, item);
    const property = `,${gap}"notes"${colon}${JSON.stringify(cut(notes, max))}`;
    return [{ offset: passes.offset + passes.length, length: 0, content: property }];
  }
  if (typeof old.value !== "string") return [];
  const above = old.value === "" ? "" : "\n\n";
  const room = max - old.value.length - above.length;
  if (room < 40) return [];
  const escaped = JSON.stringify(above + cut(notes, room)).slice(1, -1);
  return [{ offset: old.offset + old.length - 1, length: 0, content: escaped }];
}

/** The white space around the `passes` key; a new key beside it repeats it. */
function styleOf(text: string, { passes }: ListedItem): { gap: string; colon: string } {
  const before = text.slice(0, passes.keyOffset);
  return {
    gap: /\s*$/.exec(before.slice(-1000))?.[0] ?? "",
    colon: text.slice(passes.keyOffset + passes.keyLength, passes.offset),
  };
}
