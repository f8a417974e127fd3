import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { json } from "node:stream/consumers";
import { findToken, renderFinalMessage } from "../../../src/agents/scripted/perform.ts";
import { type Ask, type Dialect, type Rendered, tokensIn } from "./dialect.ts";
import { createPrompter, roleOf, type Script, type ScriptRole, type Turn } from "./script.ts";

export interface ModelServer extends AsyncDisposable {
  /** Where it listens on this machine, without a path. */
  readonly url: string;
  /** Everything the model was asked, in order, whatever the answer was. */
  readonly asks: readonly (Ask & { role: ScriptRole; headers: IncomingHttpHeaders })[];
}

/** A model that plays a script, behind the API of a provider. */
export async function startModelServer(dialect: Dialect, script: Script): Promise<ModelServer> {
  const asks: (Ask & { role: ScriptRole; headers: IncomingHttpHeaders })[] = [];
  const nextTurn = createPrompter(script);
  const server = createServer((request, response) => {
    // The program under test shows what went wrong here; a request it gave up needs no answer.
    answer(request, response).catch((error: unknown) =>
      send(response, {
        status: 500,
        body: dialect.refusal({ status: 500, message: `${error}` }, 0),
      }),
    );
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (request.method !== "POST" || !dialect.path.test(pathname)) {
      answerOther(response, dialect, pathname);
      return;
    }
    const ask = dialect.read(await json(request), pathname);
    const aside = dialect.aside?.(ask);
    if (aside !== undefined) {
      play(response, { dialect, ask, turn: { say: aside }, id: 0 });
      return;
    }
    // Titles and probes come without tools; they take no turn.
    const role = ask.tools.length > 0 ? roleOf(ask.prompt) : "other";
    asks.push({ ...ask, role, headers: request.headers });
    play(response, { dialect, ask, turn: nextTurn(role), id: asks.length });
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    asks,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Scene = { dialect: Dialect; ask: Ask; turn: Turn; id: number };

function play(response: ServerResponse, { dialect, ask, turn, id }: Scene): void {
  const { refuse, breaks, do: deeds = [] } = turn;
  if (refuse) {
    send(response, { ...refuse, body: dialect.refusal(refuse, id) });
    return;
  }
  const text = wordsOf(turn, ask);
  const rendered = dialect.render({ id, ask, text, deeds, inputTokens: tokensIn(ask) });
  if (ask.isStream || breaks) stream(response, rendered, turn);
  else send(response, { status: 200, body: rendered.whole });
}

/** The words of a turn, with the token the prompt states. */
function wordsOf({ say = "" }: Turn, { prompt }: Ask): string {
  const performance = { do: [], say, sections: { Changes: "- what the script says" } };
  const cue = { task: "T-001", role: "implementation", attempt: 1 } as const;
  return renderFinalMessage(performance, { ...cue, token: findToken(prompt) });
}

function stream(response: ServerResponse, { opening, closing }: Rendered, { breaks }: Turn): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const events = breaks ? opening : [...opening, ...closing];
  const lines = events.map((event) => {
    const name = event.type === undefined ? "" : `event: ${event.type}\n`;
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  // Only what has left this process was said: a connection is cut after it.
  response.write(lines.join(""), () => {
    if (breaks === "cut") response.destroy();
    if (breaks === undefined) response.end();
  });
}

type Sent = { status: number; headers?: Record<string, string>; body: unknown };

function send(response: ServerResponse, { status, headers, body }: Sent): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Lists of models, counts of tokens, and whether anybody is there. */
function answerOther(response: ServerResponse, { others, refusal }: Dialect, path: string): void {
  const known = Object.keys(others).find((end) => path.endsWith(end));
  const isThere = known !== undefined || path === "/";
  const body = known === undefined ? refusal({ status: 404, message: path }, 0) : others[known];
  send(response, { status: isThere ? 200 : 404, body });
}
