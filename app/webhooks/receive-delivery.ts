import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isRecord } from "../../src/schema/base/is-record.ts";
import type { NewJob } from "../jobs/new-job.ts";
import type { StoreJob } from "./intake.ts";
import type { RequestBody } from "./read-body.ts";

/** The answer to a delivery. GitHub shows `message` beside it, and it is a label of a metric, so it stays as it is. */
export type DeliveryAnswer = { status: number; message: string };

export interface DeliveryParts {
  readBody: (request: IncomingMessage) => Promise<RequestBody>;
  /** Whether a body in pieces was signed with the App's secret. */
  verify: (pieces: readonly Buffer[], signature: string) => boolean;
  keep: StoreJob;
  /** Names of the handled events; others are acknowledged and dropped. */
  events: ReadonlySet<string>;
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const signatureForm = /^sha256=[0-9a-f]{64}$/;

/**
 * Receives a delivery: checks its size and signature, stores it, and only then answers (design 6). It does no other work,
 * so that the answer waits for nothing but a commit.
 */
export async function receiveDelivery(
  { readBody, verify, keep, events }: DeliveryParts,
  request: IncomingMessage,
): Promise<DeliveryAnswer> {
  const { event, id, signature } = readDeliveryHeaders(request);
  if (!event || !id || !signature) return refused(400, "headers are missing or malformed");
  const body = await readBody(request);
  if (body.kind !== "read") return bodyAnswers[body.kind];
  const isSigned = body.pieces.length > 0 && verify(body.pieces, signature);
  const payload = isSigned && events.has(event) ? parse(body.pieces) : undefined;
  body.free();
  if (!isSigned) return refused(401, "the signature is wrong");
  if (!events.has(event)) return { status: 202, message: "nothing listens to this event" };
  if (payload === undefined) return refused(400, "the body is no JSON object");
  const data = { event, payload };
  const job: NewJob = { id: id.toLowerCase(), kind: "delivery", group: groupOf(payload), data };
  await keep(job);
  return { status: 202, message: "stored" };
}

/** The headers of a delivery; a missing or malformed one is undefined. */
export type DeliveryHeaders = ReturnType<typeof readDeliveryHeaders>;

export function readDeliveryHeaders({ headers }: IncomingMessage) {
  const event = text(headers["x-github-event"], /^[a-z_]{1,60}$/);
  const id = text(headers["x-github-delivery"], idForm);
  const signature = text(headers["x-hub-signature-256"], signatureForm);
  return { event, id, signature };
}

/** Node joins repeated headers, which then match no form (F47). */
const text = (value: string | string[] | undefined, form: RegExp) =>
  typeof value === "string" && form.test(value) ? value : undefined;

const refused = (status: number, message: string): DeliveryAnswer => ({ status, message });

const bodyAnswers = {
  "too-large": refused(413, "the body is too large"),
  busy: refused(503, "too much is being sent at once; send it again"),
  broken: refused(400, "the body did not arrive"),
};

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parse(pieces: readonly Buffer[]): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(Buffer.concat(pieces)));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Deliveries of one repository run one at a time; those without a repository share their installation's group. */
function groupOf({ repository, installation }: Record<string, unknown>): string {
  return `deliveries:${idOf(repository) ?? `installation-${idOf(installation) ?? "none"}`}`;
}

function idOf(value: unknown): number | undefined {
  const id = isRecord(value) ? value.id : undefined;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : undefined;
}

/** Verifies a body in pieces against its signature, in constant time and without copying the body. */
export function createVerifier(secret: string) {
  return (pieces: readonly Buffer[], signature: string): boolean => {
    const hmac = createHmac("sha256", secret);
    for (const piece of pieces) hmac.update(piece);
    const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
}
