/** `unreachable` includes answers that are not JSON. */
export type JsonAnswer =
  | { kind: "answered"; data: unknown }
  | { kind: "refused"; status: number }
  | { kind: "unreachable" };

export interface JsonRequest {
  url: string;
  /** The token of the person. */
  token?: string;
  /** `name:password` of the App's client, instead of a token. */
  basic?: string;
  /** Sent by POST, unless a method is given. */
  body?: Readonly<Record<string, string>>;
  method?: "DELETE";
}

/** A person waits for the answer. */
const requestMs = 10_000;

/** A request to GitHub on behalf of a person. Redirects are not followed, so that tokens and codes stay with GitHub. */
export async function requestJson({
  url,
  token,
  basic,
  body,
  method,
}: JsonRequest): Promise<JsonAnswer> {
  try {
    const answer = await fetch(url, {
      method: method ?? (body ? "POST" : "GET"),
      headers: {
        accept: "application/json",
        "user-agent": "ralph",
        ...(body && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(basic !== undefined && {
          authorization: `Basic ${Buffer.from(basic).toString("base64")}`,
        }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(requestMs),
    });
    if (!answer.ok && answer.status < 500) return { kind: "refused", status: answer.status };
    if (answer.status === 204) return { kind: "answered", data: undefined };
    return answer.ok ? { kind: "answered", data: await answer.json() } : { kind: "unreachable" };
  } catch {
    return { kind: "unreachable" };
  }
}
