import type { Summary, TaskSummary } from "../summary/summary.ts";
import type { CallSummary } from "../summary/summary-calls.ts";

/** More bars than this are unreadable; mermaid itself stops at 50,000 characters. */
export const maxBars = 60;

interface Bar {
  task: string;
  name: string;
  tag: "done" | "active" | "crit";
  from: number;
  to: number;
}

/** The timeline as a mermaid chart: a section for each task, a bar for each call, or for each task if these are many. */
export function renderGantt({ calls, tasks }: Pick<Summary, "calls" | "tasks">) {
  if (!calls || calls.length === 0) return undefined;
  const now = Math.max(...calls.map(({ started_at, ended_at }) => at(ended_at ?? started_at)));
  const perCall = calls.map((call) => barOf(call, now));
  const all = perCall.length > maxBars ? barsOfTasks(perCall, tasks) : perCall;
  const bars = all.slice(-maxBars);
  const sections = Map.groupBy(bars, ({ task }) => task);
  const lines = [...sections].flatMap(([id, group]) => [
    `section ${id === "" ? "Repairs" : safeName(`${id} ${titleOf(tasks, id)}`)}`,
    ...group.map(renderBar),
  ]);
  const chart = ["gantt", "dateFormat x", "axisFormat %H:%M", ...lines].join("\n    ");
  return { chart: `\`\`\`mermaid\n${chart}\n\`\`\``, note: noteOf(all.length - bars.length) };
}

const barOf = (call: CallSummary, now: number): Bar => ({
  task: call.task ?? "",
  name: `${call.role.replaceAll("_", " ")} ${call.iteration}`,
  tag: tags[call.outcome] ?? "crit",
  from: at(call.started_at),
  to: at(call.ended_at) || now,
});

const tags: Partial<Record<CallSummary["outcome"], Bar["tag"]>> = {
  accepted: "done",
  running: "active",
};

const at = (ts: string | null) => (ts === null ? 0 : Date.parse(ts));

function barsOfTasks(bars: readonly Bar[], tasks: readonly TaskSummary[]): Bar[] {
  const passed = new Set(tasks.filter(({ state }) => state === "passed").map(({ id }) => id));
  return [...Map.groupBy(bars, ({ task }) => task)].map(([task, group]) => ({
    task,
    name: `all ${group.length} calls`,
    tag: passed.has(task) ? "done" : "crit",
    from: Math.min(...group.map(({ from }) => from)),
    to: Math.max(...group.map(({ to }) => to)),
  }));
}

// A bar shorter than a second would be invisible.
const renderBar = ({ name, tag, from, to }: Bar) =>
  `${name} :${tag}, ${from}, ${Math.max(to, from + 1000)}`;

const noteOf = (left: number) =>
  left > 0 ? `Only the last ${maxBars} of ${maxBars + left} bars are drawn.` : "";

const titleOf = (tasks: readonly TaskSummary[], id: string) =>
  tasks.find((task) => task.id === id)?.title ?? "";

/** Only characters that have no meaning in mermaid: no `:`, `;`, `#`, `%`, quote or line break. */
function safeName(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} .,_()/-]/gu, " ")
    .replace(/\s+/g, " ")
    .slice(0, 60)
    .toWellFormed()
    .trim();
}
