import type { CriterionResult } from "../core/state/event.ts";
import type { EvidenceRef } from "../core/state/measurement.ts";
import { judgeApi, placeRequest, sentBody } from "../core/verify/judge-api.ts";
import type { ServicePlan } from "../core/verify/plan-services.ts";
import { askLoopback, type LoopbackAnswer } from "../platform/net/ask-loopback.ts";
import type { Connect } from "../platform/net/port-link.ts";
import type { ApiRequest } from "../schema/tasks/criterion.ts";
import { plainText } from "../text/plain-text.ts";

export interface CallApiDeps {
  plans: readonly ServicePlan[];
  connectTo: (port: number) => Connect | undefined;
  redact: (text: string) => string;
  keepEvidence: (text: string, bytes: number) => Promise<EvidenceRef>;
}

const timeoutMs = 10_000;
const maxBytes = 1024 * 1024;
/** Characters of an answer's body that a failure shows. */
const shown = 300;

/** Sends the request of one criterion to its service and judges the status; request and answer are evidence. */
export async function callApi(
  { plans, connectTo, redact, keepEvidence }: CallApiDeps,
  request: ApiRequest,
): Promise<Pick<CriterionResult, "verdict" | "detail" | "evidence">> {
  const place = placeRequest(request, plans);
  if (!place) {
    return {
      verdict: "to_judge",
      detail: `${request.target} is not one of the services; not called`,
    };
  }
  const { method } = request;
  const body = sentBody(request);
  const connect = connectTo(place.port);
  const answer = await askLoopback({ ...place, method, body, connect, timeoutMs, maxBytes });
  const text = redact(renderExchange(request, answer));
  const evidence = await keepEvidence(text, Buffer.byteLength(text));
  if (answer.kind === "failed") {
    const detail = `${method} ${request.target} got no answer: ${answer.message}`;
    return { verdict: "failed", detail, evidence };
  }
  const start = plainText(redact(answer.body.toString("utf8")))
    .slice(0, shown)
    .toWellFormed();
  return { ...judgeApi(request, { status: answer.status, text: start }), evidence };
}

function renderExchange(request: ApiRequest, answer: LoopbackAnswer): string {
  const sent = [`${request.method} ${request.target}`, sentBody(request) ?? []].flat();
  const got =
    answer.kind === "failed"
      ? [`no answer: ${answer.message}`]
      : [`status ${answer.status}`, answer.body.toString("utf8")];
  return [...sent, "", ...got].join("\n");
}
