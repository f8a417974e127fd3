import type { AgentOutcome, Usage } from "../../core/state/event.ts";
import type { Environment, SupervisedResult, System } from "../../platform/system.ts";
import type { AgentCall, Answer, AnswerReader, CallDetails, Driver } from "../drivers/driver.ts";
import { isOnlyLimitNotice, type Limit, limitOfText } from "../drivers/limit.ts";
import { agentEnvironment, type CallIdentity } from "./environment.ts";
import { proxyHint } from "./hidden-proxy.ts";

export interface AgentDeps {
  system: Pick<System, "supervise" | "clock" | "env">;
  /** Puts the sandbox around a command; the identity when there is none. */
  wrap: (command: Command, call: Pick<AgentCall, "readOnly">) => Command;
  redact: (text: string) => string;
  /** The live session token: redacted from the output, kept in the final message, where it is compared. */
  token: string;
  /** Aborted when the user cancels. */
  signal?: AbortSignal;
}

type Command = { file: string; args: readonly string[] };

/** One call: what the driver needs, what the program is told, and where it runs. */
export interface AgentRequest extends AgentCall {
  driver: Driver;
  prompt: string;
  /** The work tree, absolute. */
  cwd: string;
  identity: Omit<CallIdentity, "role">;
  /** Names of `agents.env`. */
  envNames: readonly string[];
  /** Silence after which the program is ended, milliseconds. */
  idleMs?: number;
}

export interface AgentResult {
  outcome: AgentOutcome;
  /** For reading signals; redacted but for the token. A call that was not `answered` claims nothing. */
  finalMessage: string;
  usage: Usage;
  /** Bounded and redacted. */
  details: CallDetails;
  /** What was printed, redacted and capped: the evidence of the call. */
  output: string;
  /** Bytes of stdout seen in all. */
  outputBytes: number;
  ms: number;
}

/** Of stdout and of stderr each, head and tail each: evidence is capped at 4 MiB (design 2). */
const keepBytes = 1024 * 1024;

/**
 * Calls an agent program and says what came of it. Whatever the program does, this does not throw (F27-F29); a
 * RalphError means that the configuration must change.
 */
export async function runAgent(deps: AgentDeps, request: AgentRequest): Promise<AgentResult> {
  const reader = request.driver.createReader();
  const result = await supervise(deps, request, reader);
  const answer = reader.finish(result);
  const isCancelled = result.end.kind === "cancelled" && deps.signal?.aborted;
  const outcome: AgentOutcome = isCancelled
    ? { kind: "cancelled" }
    : settle(answer, result, deps.system.clock.now());
  return {
    outcome: publicOutcome(outcome, deps, { ...request, remedy: answer.remedy }),
    finalMessage: outcome.kind === "answered" ? redactAround(deps, answer.finalMessage) : "",
    usage: answer.usage,
    details: publicDetails(answer.details, deps),
    output: redactAll(deps, transcriptOf(result)),
    outputBytes: result.stdoutBytes,
    ms: result.ms,
  };
}

/** The program's whole life, which ends with the user's cancel, or when its reader has lost hope. */
function supervise(
  { system, wrap, signal }: AgentDeps,
  request: AgentRequest,
  reader: AnswerReader,
): Promise<SupervisedResult> {
  const { driver, cwd, prompt, timeoutMs, idleMs } = request;
  const env = environmentOf(system.env, request);
  const hopeless = new AbortController();
  return system.supervise({
    ...wrap(driver.command({ ...request, env }), request),
    ...{ cwd, env, input: prompt, timeoutMs, keepBytes },
    ...(idleMs !== undefined && { idleMs }),
    signal: AbortSignal.any([hopeless.signal, ...(signal ? [signal] : [])]),
    onOutput: (chunk) => {
      reader.push(chunk);
      if (reader.isHopeless?.()) hopeless.abort();
    },
  });
}

function environmentOf(given: Environment, request: AgentRequest): Environment {
  const { driver, role, identity, envNames } = request;
  return agentEnvironment(given, {
    names: envNames,
    credentials: driver.credentials,
    driver: driver.env?.(request) ?? {},
    identity: { role, ...identity },
  });
}

/** Limits may hide behind a good end as well as behind a failure. */
function settle(answer: Answer, result: SupervisedResult, now: number): AgentOutcome {
  const { outcome, finalMessage } = answer;
  if (outcome.kind === "limited" && outcome.resets_at === undefined) {
    return limited(outcome.message, limitOfText(`${result.stderr}\n${outcome.message}`, now));
  }
  const canBeLimit =
    outcome.kind === "answered"
      ? isOnlyLimitNotice(finalMessage)
      : outcome.kind === "failed" && outcome.class === "agent";
  const limit = canBeLimit ? limitOfText(`${result.stderr}\n${finalMessage}`, now) : undefined;
  if (!limit) return outcome;
  const message = outcome.kind === "failed" ? outcome.message : finalMessage.trim();
  return limited(message, limit);
}

const limited = (message: string, limit: Limit | undefined): AgentOutcome => ({
  kind: "limited",
  message,
  ...(limit?.resetsAt && { resets_at: limit.resetsAt }),
});

/** Names the program, adds the way out where the user must act, and holds no secret. */
function publicOutcome(
  outcome: AgentOutcome,
  deps: AgentDeps,
  { program, driver, envNames, remedy }: AgentRequest & { remedy: string | undefined },
): AgentOutcome {
  if (outcome.kind === "answered" || outcome.kind === "cancelled") return outcome;
  const said = redactAll(deps, `\`${program[0]}\`: ${outcome.message}`);
  const wayOut = {
    configuration: `. ${remedy ?? driver.remedy}`,
    infrastructure: proxyHint(said, { given: deps.system.env, names: envNames }),
    agent: "",
    limited: "",
  };
  const kind = outcome.kind === "failed" ? outcome.class : outcome.kind;
  return { ...outcome, message: `${said}${wayOut[kind]}` };
}

/** Names come from the program: each is cut, and so is their number. */
function publicDetails({ session_id, denied }: CallDetails = {}, deps: AgentDeps): CallDetails {
  const name = (text: string) => redactAll(deps, text.replace(/[^\w.:-]/g, "")).slice(0, 100);
  return {
    ...(session_id !== undefined && { session_id: name(session_id) }),
    ...(denied !== undefined && { denied: denied.slice(0, 20).map(name) }),
  };
}

function transcriptOf({ stdout, stderr }: SupervisedResult): string {
  return stderr.trim() === "" ? stdout : `${stdout}\n--- stderr ---\n${stderr}`;
}

const redactAll = ({ redact, token }: AgentDeps, text: string) =>
  redact(text.replaceAll(token, "***"));

/** Redacts everything but the token, whether or not `redact` knows it as a secret. */
const redactAround = ({ redact, token }: AgentDeps, text: string) =>
  text.split(token).map(redact).join(token);
