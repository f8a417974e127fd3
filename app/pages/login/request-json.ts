/** `unreachable` also stands for an answer that is not understood. */
export type JsonAnswer =
  | { kind: "answered"; data: unknown }
  | { kind: "refused"; status: number }
  | { kind: "unreachable" };

export interface JsonRequest {
  url: string;
  /** Of the person who asks. */
  token?: string;
  /** Sent by POST. */
  body?: Readonly<Record<string, string>>;
}

/** A person waits for it. */
const requestMs = 10_000;

/** Asks GitHub something in the name of a person. No redirection is followed: tokens and codes go to one place. */
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
