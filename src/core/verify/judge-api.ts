import type { ApiRequest } from "../../schema/tasks/criterion.ts";
import type { CriterionResult } from "../state/event.ts";
import { apiService, type ServicePlan } from "./plan-services.ts";

/** Where a request goes: a port of a service, and a path with its query. */
export type ApiPlace = { port: number; path: string };

/** Undefined: the address is not one of the services, and is not called. Pure. */
export function placeRequest(
  { target }: Pick<ApiRequest, "target">,
  plans: readonly ServicePlan[],
): ApiPlace | undefined {
  if (target.startsWith("/")) {
    const name = apiService(plans.map((plan) => plan.name));
    const plan = plans.find((each) => each.name === name);
    return plan && { port: plan.port, path: target };
  }
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol !== "http:" || !isLoopback(url.hostname)) return undefined;
  const port = Number(url.port || 80);
  return plans.some((plan) => plan.port === port)
    ? { port, path: `${url.pathname}${url.search}` }
    : undefined;
}

const isLoopback = (host: string) => /^(?:localhost|127\.0\.0\.1|\[::1\])$/u.test(host);

/** The body that is sent: writing methods without one send an empty object. */
export const sentBody = ({ method, body }: ApiRequest): string | undefined =>
  body ?? (/^(?:POST|PUT|PATCH)$/u.test(method) ? "{}" : undefined);

/** Statuses that say no more than that the empty object was not what the service wanted. */
const wantsOtherBody = [400, 415, 422];

/** `text`: the beginning of the answer's body. Pure. */
export function judgeApi(
  request: ApiRequest,
  { status, text }: { status: number; text: string },
): Pick<CriterionResult, "verdict" | "detail"> {
  const answered = `${request.method} ${request.target} answered ${status}`;
  if (isAsked(request.status, status)) return { verdict: "proved", detail: answered };
  const isUnfair = request.body === undefined && sentBody(request) !== undefined;
  if (isUnfair && wantsOtherBody.includes(status)) {
    const detail = `${answered} to an empty object; the criterion names no body to send`;
    return { verdict: "to_judge", detail };
  }
  const asked = request.status < 10 ? `${request.status}xx` : request.status;
  const shown = text.trim() === "" ? "" : `: ${text.trim()}`;
  return { verdict: "failed", detail: `${answered}, not ${asked}${shown}` };
}

const isAsked = (asked: number, status: number) =>
  asked < 10 ? Math.floor(status / 100) === asked : asked === status;
