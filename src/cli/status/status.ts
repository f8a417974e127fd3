import type { Command } from "commander";
import {
  type ForeignRuns,
  type FoundForeignRun,
  readForeignRuns,
} from "../../entry/foreign-runs.ts";
import { renderProblem, visible } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { Clock } from "../../platform/system.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { liveStatusOf } from "../../views/terminal/status.ts";
import { renderStatus, renderStatusLine } from "../../views/terminal/status-text.ts";
import { terminalLines } from "../../views/terminal/terminal.ts";
import { type Action, addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import type { Output } from "../core/output.ts";
import { readSession, type SessionSnapshot } from "../core/read-session.ts";
import { styleOf } from "../core/waiting-lines.ts";
import { resetBreaker } from "../hooks/reset-breaker.ts";
import {
  type PlanSnapshot,
  planStatusJson,
  readLastPlan,
  renderPlanLine,
  renderPlanStatus,
  watchPlan,
} from "./plan-status.ts";
import { refuseWithOverlay, showOverlay } from "./show-overlay.ts";
import { createScreen, watchSession } from "./watch-session.ts";

type StatusOptions = {
  watch?: boolean;
  line?: boolean;
  timeline?: boolean;
  session?: string;
  overlay?: boolean;
  resetBreaker?: boolean;
};

const help = `
The status comes from the journal, so it is right while a session runs, after it
ends, and after a crash. While \`ralph autopilot\` plans, it shows the planning.
Only --reset-breaker changes anything.

Examples:
  ralph status              show phase, tasks, waits and the last failure
  ralph status --watch      show it again after each change; Ctrl-C stops
  ralph status --timeline   show all events
  ralph status --line       for a prompt or tmux: ralph 1/3 T-002 review`;

/** `ralph status`: shows the status of the running or last session. */
export function addStatus(program: Command, host: CommandHost): void {
  const command = program
    .command("status")
    .summary("show the status of the session")
    .description("Shows the status of the running session, or the end of the last one.")
    .option("--watch", "show the status again after each change, until the session ends")
    .option("--line", "print one line, for a prompt or tmux")
    .option("--timeline", "print the events in order")
    .option("--session <id>", "show this session instead of the running or last one")
    .option("--overlay", "print all active runs, of ralph and other tools, for an AGENTS.md")
    .option("--reset-breaker", "close Agent Teams' circuit breakers (.ralph/failures.json)")
    .addHelpText("after", help);
  addAction(command, host, status);
}

const status: Action<StatusOptions> = async (context, options) => {
  if (options.overlay) refuseWithOverlay(options);
  const place = await locateProject(context.system, context.directory);
  const { store } = place;
  if (options.resetBreaker) return resetBreaker(context, place.root);
  const others = await readForeignRuns(context.system, place);
  if (options.overlay) return showOverlay(context, { store, others });
  const plan = options.session === undefined ? await readLastPlan(store) : undefined;
  if (plan && (await showPlan(context, { store, plan, options })) === "shown") return 0;
  const seen = await readSession(store, options.session);
  if (!seen) return showNoSession(context, { options, others });
  const show = createDisplay(context, { options, others });
  if (options.watch) return watchSession(context, { store, seen, show });
  show(seen);
  showOthers(context, { options, others });
  return 0;
};

type StatusView = { options: StatusOptions; others: ForeignRuns };

/** Shows the runs of other tools below the session. */
function showOthers({ output }: CommandContext, { options, others }: StatusView): void {
  const text = renderOthers(others);
  if (text !== "" && !output.wantsJson && !options.line && !options.timeline) output.result(text);
}

/** `over`: the run has started its session, which is watched instead. */
async function showPlan(
  context: CommandContext,
  { store, plan, options }: { store: SessionStore; plan: PlanSnapshot; options: StatusOptions },
): Promise<"shown" | "over"> {
  const show = createPlanDisplay(context, options);
  if (options.watch) return watchPlan(context, { store, plan, show });
  show(plan);
  return "shown";
}

function createPlanDisplay(
  { output, system: { clock } }: CommandContext,
  { line }: StatusOptions,
): (plan: PlanSnapshot) => void {
  if (output.wantsJson) return (plan) => output.json(planStatusJson(plan));
  const screen = createScreen(output);
  return (plan) => screen(line ? renderPlanLine(plan) : renderPlanStatus(plan, clock.now()));
}

function showNoSession(context: CommandContext, shown: StatusView): number {
  const { options, others } = shown;
  const text = "No session yet. Start one with `ralph run`.";
  const json = { liveness: "none", ...othersJson(others) };
  context.output.answer(json, options.line ? "ralph: no session" : text);
  showOthers(context, shown);
  return 0;
}

/** Returns a function that shows a snapshot. On later calls it does not repeat lines already shown. */
function createDisplay(
  { output, system }: CommandContext,
  { options, others }: StatusView,
): (seen: SessionSnapshot) => void {
  if (output.wantsJson) {
    return (seen) => output.json({ ...statusJson(seen, options), ...othersJson(others) });
  }
  const screen = createScreen(output);
  const render = options.timeline ? timelineOf(output) : statusOf(output, options, system.clock);
  return (seen) => screen(render(seen));
}

const liveStatus = ({ state, last, owner }: SessionSnapshot) =>
  liveStatusOf(state, last, owner !== undefined);

function statusJson(seen: SessionSnapshot, { timeline }: StatusOptions): object {
  const { owner, history } = seen;
  const events = timeline ? { events: history.map(({ event }) => event) } : {};
  return { ...liveStatus(seen), process: owner ?? null, ...events };
}

function statusOf(output: Output, { line, watch = false }: StatusOptions, clock: Clock) {
  const style = styleOf(output);
  return (seen: SessionSnapshot) => {
    const status = liveStatus(seen);
    if (line) return renderStatusLine(status);
    return renderStatus(status, { now: clock.now(), isWatched: watch, style });
  };
}

const timelineOf = (output: Output) => {
  const level = output.level === "quiet" ? "normal" : "verbose";
  const style = styleOf(output);
  return ({ history }: SessionSnapshot) =>
    history.flatMap(({ event, state }) => terminalLines(event, state, { level, style })).join("\n");
};

/** The runs of other tools in this project; empty without any. */
function renderOthers({ runs, problems }: ForeignRuns): string {
  const others = runs.map(
    ({ dialect, run }) => `Other    ${dialect.name}: ${foreignStatus(run)} (${visible(run.path)})`,
  );
  const broken = problems.map((problem) => `Warning  ${renderProblem(problem)}`);
  return [...others, ...broken].join("\n");
}

function foreignStatus({ id, isActive, phase, detail }: FoundForeignRun["run"]): string {
  const named = id === undefined ? "" : `${id} `;
  const isOver = phase === "complete" || phase === "failed" || phase === "cancelled";
  const status = isActive || isOver ? phase : `${phase}, but no process is running`;
  return `${named}${status}, ${detail}`;
}

/** The same as JSON. */
const othersJson = ({ runs, problems }: ForeignRuns): object => ({
  others: runs.map(({ dialect, run: { isActive, ...run } }) => ({
    tool: dialect.name,
    active: isActive,
    ...run,
  })),
  broken: problems,
});
