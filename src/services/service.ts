import type { FactOf } from "../core/state/event.ts";
import type { EvidenceRef } from "../core/state/measurement.ts";
import { type ServicePlan, serviceUrl } from "../core/verify/plan-services.ts";
import { readableLines } from "../gates/readable-lines.ts";
import { describeEnd, type ShellDeps } from "../gates/run-shell.ts";
import { clock } from "../platform/clock.ts";
import type { Connect } from "../platform/net/port-link.ts";
import { describePortOwner } from "../platform/process/listening-ports.ts";
import type { LongProcess, StartLong, SupervisedEnd } from "../platform/system.ts";
import { askHealth, createStopwatch, pauseMs } from "./health.ts";

export interface ServiceDeps extends ShellDeps {
  /** `port`: that of the service; none for its build. */
  wrap: (program: Program, port?: number) => Program;
  /** How to connect to the port of a service in a network cage; undefined without one. */
  connectTo: (port: number) => Connect | undefined;
  startLong: StartLong;
  notice: (fact: FactOf<ServiceFact>) => Promise<void>;
  /** Stores redacted text as evidence; `bytes` is the full size. */
  keepEvidence: (text: string, bytes: number) => Promise<EvidenceRef>;
}
type Program = { file: string; args: readonly string[] };
type ServiceFact = "service_start" | "service_ready" | "service_failed" | "service_stop";

/** Why a service cannot be used; `detail` is for people. */
export type ServiceFailure = Pick<FactOf<"service_failed">, "service" | "why" | "detail">;

/** One started service, healthy or not. */
export interface Service {
  plan: ServicePlan;
  /** Waits until it answers on its own port. Undefined: it is healthy. */
  waitUntilHealthy: () => Promise<ServiceFailure | undefined>;
  /** Resolves when it ends by itself; never after `stop`. */
  crashed: Promise<ServiceFailure>;
  /** Ends the service and everything it has started; stores its output. */
  stop: () => Promise<void>;
}

/** Most bytes of head and tail each of what a service prints. */
const keepBytes = 2 * 1024 * 1024;
/** Lines of output that a failure shows. */
const shownLines = 20;

/**
 * Ends the service when its input closes, which ralph holds open. Bubblewrap ends with ralph too, but not if ralph is killed
 * in the moment in which the sandbox starts. Outside of it, the next start ends what is left.
 */
const endWithRalph = `exec 3<&0
{ read -r -u 3; kill -KILL 0; } & disown
exec 3<&-
`;

/** Starts a service in the sandbox and the environment of gates, and the addresses of all services. */
export async function startService(
  deps: ServiceDeps,
  plan: ServicePlan,
): Promise<Service | ServiceFailure> {
  const { shell, root, env } = deps;
  const isSandboxed = deps.wrap(shell).file !== shell.file;
  const watch = isSandboxed && shell.file === "bash" ? endWithRalph : "";
  const args = [...shell.args, `exec 2>&1\n${watch}${plan.command}`];
  const program = await deps.startLong({
    ...deps.wrap({ file: shell.file, args }, plan.port),
    cwd: root,
    env: { ...env, ...plan.variables },
    keepBytes,
  });
  if (program.kind === "not-started") {
    const detail = `could not be started: ${program.message}`;
    return { service: plan.name, why: "exit", detail };
  }
  const { name, port, env: chosen, command } = plan;
  await deps.notice({
    ...{ type: "service_start", service: name, port, pid: program.pid },
    ...{ command: deps.redact(command), env: chosen },
  });
  return openService(deps, plan, program);
}

function openService(deps: ServiceDeps, plan: ServicePlan, program: LongProcess): Service {
  const elapsed = createStopwatch();
  const stopping = new AbortController();
  const crash = Promise.withResolvers<ServiceFailure>();
  const fail = (why: ServiceFailure["why"], detail: string): ServiceFailure => ({
    service: plan.name,
    why,
    detail: `${detail}${lastLines(deps.redact(program.output().text))}`,
  });
  void watchEnd(program, stopping.signal).then((end) => {
    if (end) crash.resolve(fail("crash", describeExit(end)));
  });
  return {
    plan,
    crashed: crash.promise,
    waitUntilHealthy: async () => {
      const connect = deps.connectTo(plan.port);
      const waiting = { elapsed, connect, signal: deps.signal };
      const problem = await waitForAnswer(plan, program, waiting);
      if (problem) return fail(problem.why, problem.detail);
      const { name: service, port } = plan;
      await deps.notice({ type: "service_ready", service, url: serviceUrl(port), ms: elapsed() });
      return undefined;
    },
    stop: async () => {
      stopping.abort();
      const took = createStopwatch();
      const survivors = await program.stop();
      const { text, bytes } = program.output();
      const output = await deps.keepEvidence(deps.redact(text), bytes);
      await deps.notice({
        type: "service_stop",
        service: plan.name,
        ms: took(),
        survivors,
        output,
      });
    },
  };
}

/** A service that puts itself into the background ends with code 0 and lives on; then its processes are watched. */
async function watchEnd(
  program: LongProcess,
  signal: AbortSignal,
): Promise<SupervisedEnd | undefined> {
  const end = await program.exited;
  while (!signal.aborted && isDaemon(program, end)) await clock.sleep(200, signal);
  return signal.aborted ? undefined : end;
}

const isDaemon = (program: LongProcess, end: SupervisedEnd) =>
  end.kind === "exited" && end.code === 0 && program.isAlive();

type Problem = Pick<ServiceFailure, "why" | "detail">;
type Waiting = { elapsed: () => number; connect: Connect | undefined; signal: AbortSignal };

async function waitForAnswer(
  plan: ServicePlan,
  program: LongProcess,
  { elapsed, connect, signal }: Waiting,
): Promise<Problem | undefined> {
  let end: SupervisedEnd | undefined;
  const ended = new AbortController();
  void program.exited.then((found) => {
    end = found;
    ended.abort();
  });
  let seen = "it never answered";
  while (elapsed() < plan.timeoutMs && !signal.aborted) {
    if (end && !isDaemon(program, end)) return { why: "exit", detail: describeExit(end) };
    const { isHealthy, detail } = await askHealth(plan.port, plan.health, connect);
    // Nobody else is in its cage.
    if (isHealthy) return connect ? undefined : judgeOwner(plan, program);
    seen = detail;
    await clock.sleep(pauseMs(elapsed()), end ? signal : AbortSignal.any([signal, ended.signal]));
  }
  return describeSilence(plan, program, seen);
}

/** Another program may answer on the port. */
function judgeOwner({ port }: ServicePlan, program: LongProcess): Problem | undefined {
  const ports = program.ports();
  if (ports === undefined || ports.includes(port)) return undefined;
  const owner = describePortOwner(port);
  // Sockets of another user's processes cannot be read, not even those of this service.
  if (owner === undefined) return undefined;
  return { why: "stranger", detail: `port ${port} answers, but from ${owner}` };
}

function describeSilence(
  { port, timeoutMs }: ServicePlan,
  program: LongProcess,
  seen: string,
): Problem {
  const seconds = `${timeoutMs / 1000} s`;
  const others = program.ports()?.filter((each) => each !== port) ?? [];
  if (others.length > 0 && !program.ports()?.includes(port)) {
    return { why: "wrong_port", detail: `it listens on ${others.join(", ")}, not on ${port}` };
  }
  return { why: "timeout", detail: `it is not healthy after ${seconds}: ${seen}` };
}

function describeExit(end: SupervisedEnd): string {
  const how = `it ended with ${describeEnd(end, 0)}`;
  return end.kind === "exited" && end.code === 0
    ? `${how}; a service must stay in the foreground`
    : how;
}

function lastLines(output: string): string {
  const lines = readableLines(output.slice(-16_000)).filter((line) => line.trim() !== "");
  return lines.length === 0 ? "" : `\n${lines.slice(-shownLines).join("\n")}`;
}
