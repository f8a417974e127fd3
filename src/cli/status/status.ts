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
import { styleOf } from "../core/live-lines.ts";
import type { Output } from "../core/output.ts";
import { readSession, type SessionSnapshot } from "../core/read-session.ts";
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
It reads the journal, so it tells the truth while a session runs, after it, and
after a crash; while \`ralph autopilot\` plans, it tells what that does. It
changes nothing; only --reset-breaker does.

Examples:
  ralph status              phase, tasks, waits, the last failure
  ralph status --watch      again whenever something happens; Ctrl-C leaves it
  ralph status --timeline   everything that happened
  ralph status --line       for a prompt or tmux: ralph 1/3 T-002 review`;

/** `ralph status`: how the running or last session stands. It only reads. */
export function addStatus(program: Command, host: CommandHost): void {
  const command = program
    .command("status")
    .summary("how the session stands")
    .description("Tells how the running session stands, else how the last one ended.")
    .option("--watch", "show it again whenever something happens, until the session ends")
    .option("--line", "one line, for a prompt or tmux")
    .option("--timeline", "what happened, in order")
    .option("--session <id>", "another session than the running or last one")
    .option("--overlay", "what is at work here, ours and other tools', for an AGENTS.md")
    .option("--reset-breaker", "close the breakers of Agent Teams (.ralph/failures.json)")
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

type Shown = { options: StatusOptions; others: ForeignRuns };

/** What other tools do here, below what we do. */
function showOthers({ output }: CommandContext, { options, others }: Shown): void {
  const text = renderOthers(others);
  if (text !== "" && !output.wantsJson && !options.line && !options.timeline) output.result(text);
}

/** `over`: the run has gone on to its session, which is then what there is to watch. */
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

function showNoSession(context: CommandContext, shown: Shown): number {
  const { output } = context;
  const { options, others } = shown;
  if (output.wantsJson) output.json({ liveness: "none", ...othersJson(others) });
  else {
    const text = "No session yet. Start one with `ralph run`.";
    output.result(options.line ? "ralph: no session" : text);
  }
  showOthers(context, shown);
  return 0;
}

/** How one look at a session is shown; in a row of them, what stands there already is not repeated. */
function createDisplay(
  { output, system }: CommandContext,
  { options, others }: Shown,
): (seen: SessionSnapshot) => void {
  if (output.wantsJson) {
    return (seen) => output.json({ ...statusJson(seen, options), ...othersJson(others) });
  }
  const screen = createScreen(output);
  const render = options.timeline ? timelineOf(output) : statusOf(options, system.clock);
  return (seen) => screen(render(seen));
}

const liveStatus = ({ state, last, owner }: SessionSnapshot) =>
  liveStatusOf(state, last, owner !== undefined);

function statusJson(seen: SessionSnapshot, { timeline }: StatusOptions): object {
  const { owner, history } = seen;
  const events = timeline ? { events: history.map(({ event }) => event) } : {};
  return { ...liveStatus(seen), process: owner ?? null, ...events };
}

const statusOf =
  ({ line }: StatusOptions, clock: Clock) =>
  (seen: SessionSnapshot) =>
    line ? renderStatusLine(liveStatus(seen)) : renderStatus(liveStatus(seen), clock.now());

const timelineOf = (output: Output) => {
  const level = output.level === "quiet" ? "normal" : "verbose";
  const style = styleOf(output);
  return ({ history }: SessionSnapshot) =>
    history.flatMap(({ event, state }) => terminalLines(event, state, { level, style })).join("\n");
};

/** What other tools say they do in this project, for people; empty when they say nothing. */
function renderOthers({ runs, problems }: ForeignRuns): string {
  const told = runs.map(
    ({ dialect, run }) => `Other    ${dialect.name}: ${foreignStatus(run)} (${visible(run.path)})`,
  );
  const broken = problems.map((problem) => `Warning  ${renderProblem(problem)}`);
  return [...told, ...broken].join("\n");
}

function foreignStatus({ id, isActive, phase, detail }: FoundForeignRun["run"]): string {
  const named = id === undefined ? "" : `${id} `;
  const isOver = phase === "complete" || phase === "failed" || phase === "cancelled";
  const stand = isActive || isOver ? phase : `${phase}, but nobody works on it any more`;
  return `${named}${stand}, ${detail}`;
}

/** The same for programs. */
const othersJson = ({ runs, problems }: ForeignRuns): object => ({
  others: runs.map(({ dialect, run: { isActive, ...run } }) => ({
    tool: dialect.name,
    active: isActive,
    ...run,
  })),
  broken: problems,
});
