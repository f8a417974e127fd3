/** `unreachable` includes answers that are not JSON. */
export type JsonAnswer =
  | { kind: "answered"; data: unknown }
  | { kind: "refused"; status: number }
  | { kind: "unreachable" };

export interface JsonRequest {
  url: string;
  /** The token of the person. */
  token?: string;
  /** Sent by POST. */
  body?: Readonly<Record<string, string>>;
}

/** A person waits for the answer. */
const requestMs = 10_000;

/** A request to GitHub on behalf of a person. Redirects are not followed, so that tokens and codes stay with GitHub. */
export async function requestJson({ url, token, body }: JsonRequest): Promise<JsonAnswer> {
  try {
    const answer = await fetch(url, {
      method: body ? "POST" : "GET",
      headers: {
        accept: "application/json",
        "user-agent": "ralph",
        ...(body && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(requestMs),
    });
    if (!answer.ok && answer.status < 500) return { kind: "refused", status: answer.status };
    return answer.ok ? { kind: "answered", data: await answer.json() } : { kind: "unreachable" };
  } catch {
    return { kind: "unreachable" };
  }
}
