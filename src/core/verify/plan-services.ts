import type { ServiceEnv, Services } from "../../schema/config/services.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import type { SessionState } from "../state/session-state.ts";
import type { VerifyPlan } from "./verify-plan.ts";

/** One service as it is started. */
export interface ServicePlan {
  name: string;
  port: number;
  env: ServiceEnv;
  /** Shell command, with the port filled in. */
  command: string;
  /** Shell command that must succeed before. */
  build?: string;
  /** Paths that must answer with 2xx. Empty: `/` with any status below 500. */
  health: readonly string[];
  timeoutMs: number;
  /** Variables that tell it its own port and where the others are. */
  variables: Readonly<Record<string, string>>;
}

/** The services in the order they are written, and what is remarkable about their commands. Pure. */
export function planServices(
  services: Services,
  env: ServiceEnv,
): { plans: ServicePlan[]; warnings: string[] } {
  const warnings: string[] = [];
  const places = placesOf(services);
  const plans = Object.entries(services).map(([name, service]): ServicePlan => {
    const { port, build, health, timeout } = service;
    const chosen = chooseCommand(service, env);
    if (chosen.env !== env) {
      warnings.push(
        `services.${name} has no ${env} command; it starts with the ${chosen.env} one.`,
      );
    }
    if (!chosen.command.includes("{port}")) {
      warnings.push(
        `The command of services.${name} does not contain {port}; it must listen on ${port} by itself.`,
      );
    }
    return {
      name,
      port,
      env: chosen.env,
      command: chosen.command.replaceAll("{port}", String(port)),
      ...(build !== undefined && chosen.env === "prod" && { build }),
      health,
      timeoutMs: timeout * 1000,
      variables: { ...places, PORT: String(port) },
    };
  });
  return { plans, warnings };
}

type Service = Services[string];

/** `start` and `serve` are one thing; the other environment's command is better than none. */
function chooseCommand({ start, serve }: Service, env: ServiceEnv) {
  const other = env === "dev" ? "prod" : "dev";
  const wanted = start?.[env] ?? serve?.[env];
  if (wanted !== undefined) return { env, command: wanted };
  return { env: other, command: start?.[other] ?? serve?.[other] ?? "" } as const;
}

/** `RALPH_PORT_BACKEND`, `RALPH_URL_BACKEND`: front ends need the address of their back end. */
function placesOf(services: Services): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services).flatMap(([name, { port }]) => {
      const suffix = name.toUpperCase().replaceAll("-", "_");
      return [
        [`RALPH_PORT_${suffix}`, String(port)],
        [`RALPH_URL_${suffix}`, serviceUrl(port)],
      ];
    }),
  );
}

/** By name: some servers listen on IPv4 only, others on IPv6 only. */
export const serviceUrl = (port: number) => `http://localhost:${port}`;

/** The service that answers an address without a host: `backend`, else the first that is not `frontend`, else any. */
export function apiService(names: readonly string[]): string | undefined {
  return (
    names.find((name) => name === "backend") ??
    names.find((name) => name !== "frontend") ??
    names[0]
  );
}

/** The service whose pages a browser opens: `frontend`, else the last one. */
export function pageService(names: readonly string[]): string | undefined {
  return names.find((name) => name === "frontend") ?? names.at(-1);
}

/** Before anything is paid for: criteria that no service can answer, and commands that fit badly. Pure. */
export function serviceWarnings(
  { tasks }: SessionState,
  services: Services,
  { env, verify }: { env: ServiceEnv; verify?: VerifyPlan | undefined },
): string[] {
  const needing = tasks.filter(({ task, state }) => state !== "passed" && needsServices(task));
  const starts = needing.length > 0 || verify?.startsServices === true;
  if (starts && Object.keys(services).length > 0) return planServices(services, env).warnings;
  if (needing.length === 0) return [];
  const ids = needing.map(({ task }) => task.id).join(", ");
  return [
    `No services are configured, so the API and browser criteria of ${ids} are not executed; the reviewer judges them.`,
  ];
}

function needsServices({
  acceptanceCriteria,
  subtasks = [],
}: SessionState["tasks"][number]["task"]): boolean {
  const criteria = [acceptanceCriteria, ...subtasks.map((each) => each.acceptanceCriteria)].flat();
  return criteria.some((text) => /^(?:api|browser)$/.test(parseCriterion(text).kind));
}
