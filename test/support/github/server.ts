import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type GitHosting, serveGit } from "./git-backend.ts";
import { checkExchange } from "./openapi/check-exchange.ts";

/** What somebody asked; `path` is with its query. */
export interface Seen {
  method: string;
  path: string;
  authorization: string | undefined;
  /** The version of the API a client asks for. */
  version?: string | undefined;
  body: unknown;
}

export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  /** A Buffer is sent as it is, everything else as JSON. */
  body?: unknown;
  /** Instead of an answer: the connection is cut, or nothing comes at all. */
  broken?: "reset" | "hang";
};

export type Answers = (seen: Seen) => Reply | Promise<Reply>;

export interface GitHubServer extends AsyncDisposable {
  /** Without a path: where repositories and the storage of artifacts are. */
  readonly url: string;
  /** As on GitHub Enterprise. */
  readonly apiUrl: string;
  /** Everything asked of the API and the storage, in order. */
  readonly seen: readonly Seen[];
}

/** GitHub as far as a test needs it: an API that answers as told, and repositories over HTTP. */
export async function startGitHubServer(
  answers: Answers,
  hosting?: GitHosting,
  isChecked = true,
): Promise<GitHubServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) =>
      send(response, { status: 500, body: { message: `the test server failed: ${error}` } }),
    );
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (hosting && request.url?.includes(".git/")) {
      await serveGit(hosting, { request, body, response });
      return;
    }
    const asked = {
      method: request.method ?? "",
      path: request.url ?? "",
      authorization: request.headers.authorization,
      version: String(request.headers["x-github-api-version"] ?? ""),
      body: body.length > 0 ? JSON.parse(body.toString()) : undefined,
    };
    seen.push(asked);
    const reply = await answers(asked);
    if (isChecked) checkExchange(asked, reply);
    send(response, reply);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url,
    apiUrl: `${url}/api/v3`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  const { status = 200, headers, body = {}, broken } = reply;
  if (broken === "reset") response.destroy();
  if (broken) return;
  const isRaw = Buffer.isBuffer(body);
  const type = isRaw ? "application/zip" : "application/json; charset=utf-8";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(status === 204 ? undefined : isRaw ? body : JSON.stringify(body));
}
