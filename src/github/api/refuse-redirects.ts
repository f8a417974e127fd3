type Answer = { status: number; url: string };
type Asked = { request?: { redirect?: string } };

/** Octokit's hook after each request. */
interface AfterRequest {
  hook: { after: (name: "request", act: (answer: Answer, asked: Asked) => void) => void };
}

/** A redirect that could not be followed is an error with its status; Octokit takes its body for the answer. */
export function refuseRedirects(octokit: AfterRequest): void {
  octokit.hook.after("request", ({ status, url }, { request }) => {
    if (status < 300 || status === 304 || request?.redirect === "manual") return;
    const message = `${new URL(url).pathname} redirects (${status}) to no address.`;
    throw Object.assign(new Error(message), { status });
  });
}
