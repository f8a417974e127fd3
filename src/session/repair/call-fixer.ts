import { runAgent } from "../../agents/call/run-agent.ts";
import { renderFixPrompt } from "../../agents/prompts/prompt-fix.ts";
import { readSignal } from "../../core/checks/signal.ts";
import { priced, priceOf } from "../../core/decide/price.ts";
import type { StepOf } from "../../core/decide/step.ts";
import type { EndedRepair, OpenRepair } from "../../core/state/repairs.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { judgesOf } from "../../core/verify/verify-plan.ts";
import { agentDeps, callOf } from "../loop/agent-deps.ts";
import { collectWork } from "../loop/guard-user-git.ts";
import { reportRefusals } from "../loop/report-refusals.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { newToken } from "../loop/session-id.ts";
import { recordCall } from "../steps/call-agent.ts";

type FixRole = StepOf<"call-fixer">["role"];

/** One call of a repair, from its prompt to its collected changes; a token of its own (T48, T49). */
export async function callFixer(session: SessionContext, { role }: StepOf<"call-fixer">) {
  const { system, config, journal, evidence } = session;
  const open = openRepair(journal.state);
  const token = newToken(journal.state.session.session_id, system);
  const prompt = promptOf(session, { role, open, token });
  const call = callOf(session, { role, taskId: "verify", attempt: attemptOf(journal.state) });
  const about = { phase: open.phase, iteration: open.iteration, role };
  const start = { type: "fix_call_start", ...about } as const;
  await recordCall(session, start, { call, prompt: prompt.replaceAll(token, "***") });
  const work = () => runAgent(agentDeps(session, token), { ...call, prompt });
  const { answer, changes } = await collectWork(session, { role, tree: open.tree }, work);
  const { tree, refused } = changes;
  const end = {
    type: "fix_call_end",
    ...{ ...about, tree, refused },
    outcome: answer.outcome,
    signal: readSignal(answer.finalMessage, { role, token }),
    ...answer.details,
    usage: priced(answer.usage, priceOf(config.pricing, call.model)),
    ms: answer.ms,
    output: await evidence.put(answer.output, answer.outputBytes),
  } as const;
  await record(session, end, { durable: true });
  await reportRefusals(session, { who: `repair ${role}`, refused: answer.refused });
  await updateViews(session);
}

/** The repair under way. Steps of a repair come only while there is one. */
export function openRepair({ repairs }: SessionState): OpenRepair {
  if (repairs?.open) return repairs.open;
  throw new Error("No repair is under way.");
}

const attemptOf = ({ repairs }: SessionState) => (repairs?.ended.length ?? 0) + 1;

type Asked = { role: FixRole; open: OpenRepair; token: string };

function promptOf(
  { system, config, journal: { state } }: SessionContext,
  { role, open, token }: Asked,
): string {
  const { phase, failure, answers } = open;
  const notes = (state.repairs?.ended ?? []).flatMap(noteOf).slice(-5);
  const plan = answers.planning ?? "The planner gave no plan; find the cause yourself.";
  return renderFixPrompt(role, {
    fence: { boundary: system.randomHex(8), token },
    project: state.session.project,
    ...{ phase, failure },
    feedback: notes.length === 0 ? undefined : notes.join("\n"),
    plan: role === "planning" ? undefined : plan,
    tests: judgesOf(config),
  });
}

/** What earlier repairs have come to. */
function noteOf({ outcome, detail, refused, claim }: EndedRepair): string[] {
  const putBack = refused.slice(0, 20).join(", ");
  const ends: Record<EndedRepair["outcome"], string> = {
    broke: `A repair was taken back, because this does not hold with it: ${detail}`,
    unchanged: "A repair changed nothing.",
    kept: `A repair was kept, and this failure remains. It said: ${claim ?? "nothing"}`,
  };
  return [ends[outcome], ...(putBack === "" ? [] : [`These changes were put back: ${putBack}`])];
}
