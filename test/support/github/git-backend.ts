import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** Bare repositories `root/<owner>/<name>.git`: everyone with the token may read and write, or those whom `userOf` names. */
export type GitHosting = {
  root: string;
  /** Runs before a request is served; `service` is what follows `.git/`. */
  before?: (service: string) => void | Promise<void>;
} & ({ token: string } | { userOf: UserOf });

/** The user behind an `authorization` header, for the repository's hooks; empty: not allowed, undefined: unknown. */
type UserOf = (authorization: string | undefined, service: string) => string | undefined;

type Exchange = { request: IncomingMessage; body: Buffer; response: ServerResponse };

/** Serves git's smart protocol by git's own program. */
export async function serveGit(
  hosting: GitHosting,
  { request, body, response }: Exchange,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const service = /git-(?:upload|receive)-pack/.exec(`${pathname}${search}`)?.[0] ?? "";
  const userOf = "userOf" in hosting ? hosting.userOf : onlyWith(hosting.token);
  const user = userOf(request.headers.authorization, service);
  if (user === undefined) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    return;
  }
  if (user === "") {
    response.writeHead(403).end("Write access to repository not granted.");
    return;
  }
  await hosting.before?.(`${pathname.split(".git/")[1]}${search}`);
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: hosting.root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      REMOTE_USER: user,
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: `${request.headers["git-protocol"] ?? ""}`,
      CONTENT_LENGTH: `${body.length}`,
    },
  });
  // One that answers without reading has closed its end already.
  child.stdin.on("error", () => {});
  child.stdin.end(body);
  const answer = await buffer(child.stdout);
  const end = answer.indexOf("\r\n\r\n");
  const headers = answer
    .toString("latin1", 0, end)
    .split("\r\n")
    .map((line) => line.split(": ", 2) as [string, string]);
  const status = headers.find(([name]) => name === "Status")?.[1];
  response.writeHead(Number.parseInt(status ?? "200", 10), Object.fromEntries(headers));
  response.end(answer.subarray(end + 4));
}

function onlyWith(token: string): UserOf {
  const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  return (authorization) => (authorization === expected ? "x-access-token" : undefined);
}
