import type { Usage } from "../../core/state/measurement.ts";
import type { AgentOutcome } from "../../core/state/roles.ts";
import type { CallLimits, Environment, SupervisedResult, System } from "../../platform/system.ts";
import type { AgentCall, Answer, AnswerReader, CallDetails, Driver } from "../drivers/driver.ts";
import { isOnlyLimitNotice, type Limit, limitOfText } from "../drivers/limit.ts";
import type { CallNetwork } from "./call-network.ts";
import { agentEnvironment, type CallIdentity } from "./environment.ts";
import { type CallHome, type Homes, openHome } from "./open-home.ts";

export interface AgentDeps {
  system: Pick<System, "supervise" | "clock" | "env" | "files">;
  /** Wraps a command in the sandbox; the identity without one. */
  wrap: (command: Command, call: Pick<AgentCall, "readOnly"> & CallPlace) => Command;
  homes: Homes;
  /** Opens the network of one call; undefined for the machine's own. */
  openNetwork: (
    call: Pick<AgentRequest, "driver" | "readOnly">,
  ) => Promise<CallNetwork | undefined>;
  redact: (text: string) => string;
  /** The token of this call: redacted from the output, kept in the final message, where it is compared. */
  token: string;
  /** Aborted when the user cancels. */
  signal?: AbortSignal;
}

type Command = { file: string; args: readonly string[] };

/** The settings of one call. */
export interface CallPlace {
  home: CallHome;
  network?: CallNetwork | undefined;
}

/** One call: the driver's input, the prompt, and where the program runs. */
export interface AgentRequest extends AgentCall {
  driver: Driver;
  prompt: string;
  /** The work tree, absolute. */
  cwd: string;
  identity: Omit<CallIdentity, "role">;
  /** Names of `agents.env`. */
  envNames: readonly string[];
  /** The limits of all its processes together. */
  limits?: CallLimits;
  /** Silence after which the program is ended, milliseconds. */
  idleMs?: number;
}

export interface AgentResult {
  outcome: AgentOutcome;
  /** For reading signals; redacted except for the token. A call that was not `answered` claims nothing. */
  finalMessage: string;
  usage: Usage;
  /** Bounded and redacted. */
  details: CallDetails;
  /** The output, redacted and limited: the evidence of the call. */
  output: string;
  /** Targets outside of its network that the program tried to reach, `host:port`. */
  refused: readonly string[];
  /** Total bytes of stdout. */
  outputBytes: number;
  ms: number;
}

/** Kept of head and tail each, of stdout and stderr each: evidence is limited to 4 MiB (design 2). */
const keepBytes = 1024 * 1024;

/** Calls an agent program. It never throws because of the program (F27-F29); a RalphError is about the configuration. */
export async function runAgent(deps: AgentDeps, request: AgentRequest): Promise<AgentResult> {
  const reader = request.driver.createReader();
  const { result, refused } = await superviseAtHome(deps, request, reader);
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
    refused,
    outputBytes: result.stdoutBytes,
    ms: result.ms,
  };
}

/** One call in a home folder and a network of its own (T08, T18, T20). */
async function superviseAtHome(
  deps: AgentDeps,
  request: AgentRequest,
  reader: AnswerReader,
): Promise<{ result: SupervisedResult; refused: readonly string[] }> {
  const { driver, isSandboxed = false } = request;
  await using network = await deps.openNetwork(request);
  const isKeyProxied = driver.provider?.keys.some((name) => network?.env[name]);
  await using home = await openHome(deps.system, {
    ...{ homes: deps.homes, driver, isSandboxed },
    isKeyProxied: isKeyProxied ?? false,
  });
  const result = await supervise(deps, { ...request, home, network }, reader);
  return { result, refused: network?.refused() ?? [] };
}

/** Runs the program until it ends, the user cancels, or its reader is stuck. */
function supervise(
  { system, wrap, signal }: AgentDeps,
  request: AgentRequest & CallPlace,
  reader: AnswerReader,
): Promise<SupervisedResult> {
  const { driver, home, network, cwd, prompt, timeoutMs, idleMs, limits } = request;
  const env = { ...environmentOf(system.env, request), ...home.env, ...network?.env };
  const stuck = new AbortController();
  return system.supervise({
    ...wrap(driver.command({ ...request, env }), request),
    ...{ cwd, env, input: prompt, timeoutMs, keepBytes },
    ...(idleMs !== undefined && { idleMs }),
    limits,
    signal: AbortSignal.any([stuck.signal, ...(signal ? [signal] : [])]),
    onOutput: (chunk) => {
      reader.push(chunk);
      if (reader.isStuck?.()) stuck.abort();
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

/** A usage limit may follow a normal end as well as a failure. */
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

/** Names the program, adds the remedy when the user must act, and redacts secrets. */
function publicOutcome(
  outcome: AgentOutcome,
  deps: AgentDeps,
  { program, driver, envNames, remedy }: AgentRequest & { remedy: string | undefined },
): AgentOutcome {
  if (outcome.kind === "answered" || outcome.kind === "cancelled") return outcome;
  const said = redactAll(deps, `\`${program[0]}\`: ${outcome.message}`);
  const wayOut = {
    configuration: `. ${remedy ?? (isHidden(said) ? hiddenBySandbox : driver.remedy)}`,
    infrastructure: proxyHint(said, { given: deps.system.env, names: envNames }),
    agent: "",
    limited: "",
  };
  const kind = outcome.kind === "failed" ? outcome.class : outcome.kind;
  return { ...outcome, message: `${said}${wayOut[kind]}` };
}

/** `checkAgents` found the program before the call, so a sandbox that does not find it hides its folder. */
const isHidden = (said: string) => said.includes("bwrap: execvp ");

export const hiddenBySandbox =
  "The program is installed, but the sandbox hides its folder. Install it where every user's programs are, such as /usr/local";

/** Names come from the program, so their length and number are limited. */
function publicDetails({ session_id, denied }: CallDetails = {}, deps: AgentDeps): CallDetails {
  const name = (text: string) => redactAll(deps, text.replace(/[^\w.:-]/g, "")).slice(0, 100);
  return {
    ...(session_id !== undefined && { session_id: name(session_id) }),
    ...(denied !== undefined && { denied: denied.slice(0, 20).map(name) }),
  };
}

const transcriptOf = ({ stdout, stderr }: SupervisedResult): string =>
  stderr.trim() === "" ? stdout : `${stdout}\n--- stderr ---\n${stderr}`;

const redactAll = ({ redact, token }: AgentDeps, text: string) =>
  redact(text.replaceAll(token, "***"));

/** Redacts everything but the token, whether or not `redact` knows it as a secret. */
const redactAround = ({ redact, token }: AgentDeps, text: string) =>
  text.split(token).map(redact).join(token);

const proxy = /^(?:https?|all)_proxy$/i;
const unreachable = /connect|network|fetch failed|ENOTFOUND|EAI_AGAIN/i;

/** A hint when a program cannot connect and agents do not see a proxy that is set: its URL may hold a password. */
export function proxyHint(said: string, env: { given: Environment; names: readonly string[] }) {
  const isHidden = (name: string) => proxy.test(name) && !env.names.includes(name);
  const hidden = Object.keys(env.given).find((name) => isHidden(name) && env.given[name]);
  if (hidden === undefined || !unreachable.test(said)) return "";
  return `; ${hidden} is set, but agents see it only when \`agents.env\` in .ralph/ralph.yml names it`;
}
