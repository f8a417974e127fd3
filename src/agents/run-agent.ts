import type { AgentOutcome, Usage } from "../run/event.ts";
import type { SupervisedResult, System } from "../system/system.ts";
import type { AgentCall, Answer, CallDetails, Driver } from "./driver.ts";
import { agentEnvironment, type Identity } from "./environment.ts";
import { isOnlyLimitNotice, type Limit, limitOfText } from "./limit.ts";

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
  identity: Omit<Identity, "role">;
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
  const env = environmentOf(deps, request);
  const result = await deps.system.supervise({
    ...deps.wrap(request.driver.command({ ...request, env }), request),
    cwd: request.cwd,
    env,
    input: request.prompt,
    timeoutMs: request.timeoutMs,
    ...(request.idleMs !== undefined && { idleMs: request.idleMs }),
    ...(deps.signal && { signal: deps.signal }),
    keepBytes,
    onOutput: reader.push,
  });
  const answer = reader.finish(result);
  const outcome = settle(answer, result, deps.system.clock.now());
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

function environmentOf({ system }: AgentDeps, request: AgentRequest) {
  const { driver, role, identity, envNames } = request;
  return agentEnvironment(system.env, {
    names: envNames,
    credentials: driver.credentials,
    driver: driver.env?.(request) ?? {},
    identity: { role, ...identity },
  });
}

/** The user's cancel comes first; then limits, which may hide behind a good end as well as behind a failure. */
function settle(answer: Answer, result: SupervisedResult, now: number): AgentOutcome {
  const { outcome, finalMessage } = answer;
  if (result.end.kind === "cancelled") return { kind: "cancelled" };
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
  { program, driver, remedy }: AgentRequest & { remedy: string | undefined },
): AgentOutcome {
  if (outcome.kind === "answered" || outcome.kind === "cancelled") return outcome;
  const isSetup = outcome.kind === "failed" && outcome.class === "configuration";
  const said = redactAll(deps, `\`${program[0]}\`: ${outcome.message}`);
  return { ...outcome, message: isSetup ? `${said}. ${remedy ?? driver.remedy}` : said };
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
