import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { removeHomes } from "../../agents/call/open-home.ts";
import {
  type AgentDeps,
  type AgentResult,
  hiddenBySandbox,
  runAgent,
} from "../../agents/call/run-agent.ts";
import { readSignal } from "../../core/checks/signal.ts";
import { newSessionId, newToken } from "../../session/loop/session-id.ts";
import { renderCost, renderDuration } from "../../text/figures.ts";
import {
  type Check,
  type CheckResult,
  combineResults,
  failure,
  pass,
  skipped,
  warningResult,
} from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

const timeoutMs = 60_000;

/** Calls each agent program once, read-only, under the rules of a session. */
export const agentCall: Check = {
  name: "agent-call",
  needs: ["config", "repo", "agents", "sandbox"],
  notice: "calls each agent program once, read-only; this costs a few cents",
  run: async (context) => {
    const { config } = await context.config();
    const called = calledAgents(config, context.system.env);
    const found = await Promise.all(called.map((agent) => call(context, agent)));
    if (context.signal.aborted) return skipped("cancelled");
    return combineResults(found);
  },
};

async function call(context: ScanContext, agent: CalledAgent): Promise<CheckResult> {
  const { system, signal, redact, sessionDir } = context;
  const { agents, sandbox: rules } = (await context.config()).config;
  const [repo, sandbox] = [await context.repo(), await context.sandbox()];
  const { worktree, root } = repo;
  const token = newToken(newSessionId(system), system);
  const { driver, program, model } = agent;
  const wrap: AgentDeps["wrap"] = (command, call) => sandbox.wrap(command, { worktree, ...call });
  const isSandboxed = sandbox.kind === "bubblewrap";
  const ended = context.began(`\`${program[0]}\``);
  const result = await runAgent(
    {
      system,
      redact,
      token,
      signal,
      wrap,
      homes: sandbox.homes,
      openNetwork: sandbox.network.openCall,
    },
    {
      ...{ driver, program, model, role: "review", readOnly: true, isSandboxed },
      ...{ allowedTools: [], timeoutMs },
      prompt: renderPrompt(token),
      cwd: root,
      identity: { taskId: "scan", attempt: 1, sessionDir },
      envNames: [...agents.env, ...rules.env],
    },
  ).finally(ended);
  await removeHomes(system, sandbox.homes);
  return judge(agent, { result, token });
}

/** Ends like every prompt: printing it back does not count as an answer. */
const renderPrompt = (token: string) => `This only tests the connection; there is no work to do.
Use no tool and change no file. Answer with this block and nothing else.
Write the session token in place of the word TOKEN; without it the block does not count.

<review-approved session="TOKEN">
ready
</review-approved>

The session token is:
${token}`;

function judge(
  { driver, program: [name], model }: CalledAgent,
  { result, token }: { result: AgentResult; token: string },
): CheckResult {
  const { outcome, finalMessage, usage, ms } = result;
  const who = [`\`${name}\``, model].filter(Boolean).join(" with ");
  const cost = usage.cost_usd === undefined ? "" : `, ${renderCost(usage.cost_usd)}`;
  const figures = `${renderDuration(ms)}${cost}`;
  switch (outcome.kind) {
    case "cancelled":
      return skipped("cancelled");
    case "failed":
      return failed(outcome, driver.remedy);
    case "limited":
      return warningResult(`${outcome.message}; a run would wait`, {
        remedy: outcome.resets_at
          ? `Wait until ${outcome.resets_at}.`
          : "Wait, or use another key.",
      });
    case "answered":
      return readSignal(finalMessage, { role: "review", token }).kind === "valid"
        ? pass(`${who} answered, ${figures}`)
        : warningResult(`${who} answered without the requested block, ${figures}`, {
            remedy: "Use a model that follows instructions: no task passes without this block.",
          });
  }
}

/** If the message ends with the driver's remedy, shows it as the remedy. */
function failed(
  { class: kind, message }: Extract<AgentResult["outcome"], { kind: "failed" }>,
  remedy: string,
): CheckResult {
  // The program exists, but the sandbox hides it.
  if (message.endsWith(hiddenBySandbox)) {
    return failure(first(message, hiddenBySandbox), { remedy: `${hiddenBySandbox}.` });
  }
  if (message.endsWith(remedy)) return failure(first(message, remedy), { remedy });
  if (kind === "configuration") return failure(message);
  return failure(message, { remedy: "Start the program by hand and make sure that it answers." });
}

const first = (message: string, remedy: string) => message.replace(remedy, "").trim();
