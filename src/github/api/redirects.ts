import type { Octokit } from "@octokit/rest";

/** Time limit of one attempt. */
const requestMs = 30_000;
const maxRedirects = 3;

/** A redirect that could not be followed is an error with its status; Octokit takes its body for the answer. */
export function refuseRedirects({ hook }: Pick<Octokit, "hook">): void {
  hook.after("request", ({ status, url }, { request }) => {
    if (status < 300 || status === 304 || request?.redirect === "manual") return;
    const message = `${new URL(url).pathname} redirects (${status}) to no address.`;
    throw Object.assign(new Error(message), { status });
  });
}

/**
 * Sends a request with a time limit of its own. A renamed or transferred repository redirects; a write must keep its method,
 * which `fetch` would change to GET, and a token is sent to no other server.
 */
export async function fetchInTime(url: string, options: RequestInit): Promise<Response> {
  const send = (to: string, more: RequestInit = {}) =>
    fetch(to, { ...options, ...more, signal: AbortSignal.timeout(requestMs) });
  if (options.method === "GET" || options.redirect === "manual") return send(url);
  let answer = await send(url, { redirect: "manual" });
  for (let count = 0; count < maxRedirects; count += 1) {
    const to = redirectOf(answer, url);
    if (to === undefined) return answer;
    answer = await send(to, { redirect: "manual" });
  }
  return answer;
}

/** Where an answer points to on the same server. */
function redirectOf({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get("location");
  if (![301, 302, 307, 308].includes(status) || location === null) return undefined;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin ? to.href : undefined;
}
