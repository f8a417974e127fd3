import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { type AgentResult, runAgent } from "../../agents/call/run-agent.ts";
import { readSignal } from "../../core/checks/signal.ts";
import type { OpenSandbox } from "../../session/open/open-sandbox.ts";
import { newSessionId, newToken } from "../../session/open/session-id.ts";
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

type Command = Parameters<OpenSandbox["wrap"]>[0];

/** Each agent program is really called once, as a reader, under the rules of a session. */
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
  const wrap = (command: Command) => sandbox.wrap(command, { worktree, readOnly: true });
  const isSandboxed = sandbox.kind === "bubblewrap";
  const result = await runAgent(
    { system, redact, token, signal, wrap },
    {
      ...{ driver, program, model, role: "review", readOnly: true, isSandboxed },
      ...{ allowedTools: [], timeoutMs },
      prompt: renderPrompt(token),
      cwd: root,
      identity: { taskId: "scan", attempt: 1, sessionDir },
      envNames: [...agents.env, ...rules.env],
    },
  );
  return judge(agent, { result, token });
}

/** As every prompt of ours ends: printed back it is no claim. */
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
        : warningResult(`${who} answered, but not with the block it was asked for, ${figures}`, {
            remedy: "Use a model that follows instructions; without the block no task passes.",
          });
  }
}

type Failed = Extract<AgentResult["outcome"], { kind: "failed" }>;

/** Where the user must act, the message ends with what to do; the driver's own words are told apart. */
function failed({ class: kind, message }: Failed, remedy: string): CheckResult {
  // It was found before, but not by the sandbox.
  if (message.includes("bwrap: execvp")) return failure(first(message, remedy), { remedy: hidden });
  if (message.endsWith(remedy)) return failure(first(message, remedy), { remedy });
  if (kind === "configuration") return failure(message);
  return failure(message, { remedy: "Start the program by hand; it must answer." });
}

const first = (message: string, remedy: string) => message.replace(remedy, "").trim();

const hidden =
  "The sandbox hides where it lies: install it elsewhere, or name its folder in `sandbox.writable`.";
