import { generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { createFakeGitHub, type FakeGitHub } from "./github-api/fake-github.ts";
import {
  type GitHubServer,
  type Reply,
  type Seen,
  startGitHubServer,
} from "./github-api/server.ts";

/** GitHub as an App sees it: it signs in with its key, and its installation has a token. */
export interface AppGitHub extends AsyncDisposable {
  server: GitHubServer;
  fake: FakeGitHub;
  /** PEM. */
  privateKey: string;
  /** Workflows somebody has started, oldest first. */
  dispatches: { workflow: string; ref: string; inputs: Record<string, string> }[];
  /** Labels somebody took away. */
  removedLabels: string[];
  /** Workflow runs by id. */
  runs: Map<number, Record<string, unknown>>;
  /** Files of the default branch. */
  files: Map<string, string>;
  /** While true nothing but 502 is answered. */
  isAway: boolean;
}

export const appSlug = "ralph-test";
export const self = { id: 900, login: `${appSlug}[bot]`, type: "Bot" } as const;
const token = "ghs_installation_token_of_the_tests";

/** Starts it; `octo/example` has the App installed. */
export async function startAppGitHub(): Promise<AppGitHub> {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const fake = createFakeGitHub({ repository: "octo/example", viewer: self });
  const github: Omit<AppGitHub, "server" | keyof AsyncDisposable> = {
    fake,
    privateKey: keys.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    dispatches: [],
    removedLabels: [],
    runs: new Map(),
    files: new Map(),
    isAway: false,
  };
  const answer = (seen: Seen): Reply => {
    if (found.isAway) return { status: 502, body: { message: "Bad Gateway" } };
    const path = seen.path.replace(/^\/api\/v3/, "").split("?", 1)[0] ?? "";
    const asked = `${seen.method} ${path}`;
    const isApp = /^(?:GET \/app|POST \/app\/)/.test(asked);
    const isKnown = isApp
      ? isSigned(seen, keys.publicKey)
      : /^(?:token|bearer) ghs_/i.test(seen.authorization ?? "");
    if (!isKnown) return { status: 401, body: { message: "Bad credentials" } };
    return isApp ? asApp(asked) : (asInstallation(found, asked, seen) ?? fake.answer(seen));
  };
  const server = await startGitHubServer(answer);
  const found: AppGitHub = {
    ...github,
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return found;
}

function isSigned({ authorization = "" }: Seen, key: KeyObject): boolean {
  const [head = "", body = "", signature = ""] = authorization.replace(/^bearer /i, "").split(".");
  return verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
}

function asApp(asked: string): Reply {
  if (asked === "GET /app") return { body: { id: 1, slug: appSlug } };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  return { status: 201, body: { token, expires_at, permissions: {} } };
}

function asInstallation(github: AppGitHub, asked: string, seen: Seen): Reply | undefined {
  if (asked.startsWith("GET /users/")) return { body: self };
  const [, rest = ""] = /^\w+ \/repos\/octo\/example(.*)$/.exec(asked) ?? [];
  if (asked === "GET /repos/octo/example") return { body: { default_branch: "main", id: 7 } };
  const [, file] = /^\/contents\/(.+)$/.exec(rest) ?? [];
  if (file) return contentOf(github.files.get(decodeURIComponent(file)));
  const [, label] = /^\/issues\/\d+\/labels\/(.+)$/.exec(rest) ?? [];
  if (label && seen.method === "DELETE") {
    github.removedLabels.push(decodeURIComponent(label));
    return { body: [] };
  }
  const [, workflow] = /^\/actions\/workflows\/([^/]+)\/dispatches$/.exec(rest) ?? [];
  if (workflow) {
    const { ref, inputs } = seen.body as { ref: string; inputs: Record<string, string> };
    github.dispatches.push({ workflow, ref, inputs });
    return { status: 204 };
  }
  const [, run] = /^\/actions\/runs\/(\d+)$/.exec(rest) ?? [];
  if (run) return foundOr404(github.runs.get(Number(run)));
  return undefined;
}

function contentOf(text: string | undefined): Reply {
  if (text === undefined) return { status: 404, body: { message: "Not Found" } };
  const content = Buffer.from(text).toString("base64");
  return { body: { type: "file", encoding: "base64", content } };
}

const foundOr404 = (body: unknown): Reply =>
  body === undefined ? { status: 404, body: { message: "Not Found" } } : { body };
