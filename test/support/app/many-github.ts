import { type GitHubServer, type Reply, type Seen, startGitHubServer } from "../github/server.ts";
import { appKey, appPem } from "./app-key.ts";
import { asInstallation, createRepository, type FakeRepository, isSigned, self } from "./github.ts";

/** A private repository on a GitHub with many; its names change, its id never does. */
export interface ManyRepository {
  id: number;
  name: string;
  installation: number;
  isGone: boolean;
  /** What happens in it. */
  inside: FakeRepository;
}

export interface ManyGitHub extends AsyncDisposable {
  server: GitHubServer;
  privateKey: string;
  repositories: Map<number, ManyRepository>;
  create: (given: { name: string; installation: number; config: string }) => ManyRepository;
  rename: (repository: ManyRepository, name: string) => void;
  /** Requests to a repository with a token for another one; all are refused. */
  foreign: string[];
}

const notFound: Reply = { status: 404, body: { message: "Not Found" } };
const refused = (status: number, message: string): Reply => ({ status, body: { message } });

/** GitHub with redirects from earlier names, which end when another repository takes the name. */
export async function startManyGitHub(): Promise<ManyGitHub> {
  const repositories = new Map<number, ManyRepository>();
  const earlier = new Map<string, number>();
  const foreign: string[] = [];
  let lastId = 100;
  const state: State = { repositories, earlier, foreign };
  const server = await startGitHubServer(
    (seen) => answer(state, seen, (asked) => isSigned(asked, appKey.publicKey)),
    undefined,
    // The addresses behind redirects are in no description.
    false,
  );
  return {
    ...{ server, repositories, foreign },
    privateKey: appPem,
    create: ({ name, installation, config }) => {
      const inside = createRepository();
      inside.files.set(".ralph/ralph.yml", config);
      const user = { type: "User", id: 5 };
      inside.fake.state.permissions.ada = { permission: "write", role_name: "write", user };
      const id = ++lastId;
      const repository = { id, name, installation, isGone: false, inside };
      repositories.set(id, repository);
      earlier.delete(name);
      return repository;
    },
    rename: (repository, name) => {
      earlier.set(repository.name, repository.id);
      earlier.delete(name);
      repository.name = name;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

type State = Pick<ManyGitHub, "repositories" | "foreign"> & { earlier: Map<string, number> };

function answer(state: State, seen: Seen, isByApp: (seen: Seen) => boolean): Reply {
  const path = seen.path.replace(/^\/api\/v3/, "").split("?", 1)[0] ?? "";
  const asked = `${seen.method} ${path}`;
  if (/^(?:GET \/app|POST \/app\/)/.test(asked)) {
    return isByApp(seen) ? asApp(state, asked, seen) : refused(401, "Bad credentials");
  }
  const [, installation, id] = / ghs_(\d+)_(\d+)$/i.exec(seen.authorization ?? "") ?? [];
  if (id === undefined) return refused(401, "Bad credentials");
  if (asked.startsWith("GET /users/")) return { body: self };
  const own = state.repositories.get(Number(id));
  const reached = own && !own.isGone && own.installation === Number(installation) ? own : undefined;
  if (asked === "GET /installation/repositories") return listed(reached);
  return inRepository(state, { seen, path, reached });
}

const factsOf = ({ id, name }: ManyRepository) => ({
  ...{ id, full_name: name, default_branch: "main", created_at: "2026-01-01T00:00:00Z" },
});

function listed(repository: ManyRepository | undefined): Reply {
  const repositories = repository ? [factsOf(repository)] : [];
  return { body: { total_count: repositories.length, repositories } };
}

function asApp({ repositories }: State, asked: string, { body }: Seen): Reply {
  if (asked === "GET /app") return { body: { slug: "ralph-test" } };
  if (asked.startsWith("GET /app/hook/")) return { body: [] };
  const [, installation] = /installations\/(\d+)\/access_tokens$/.exec(asked) ?? [];
  const { repository_ids: [id = 0] = [] } = (body ?? {}) as { repository_ids?: number[] };
  const found = repositories.get(id);
  const isReached = found && !found.isGone && found.installation === Number(installation);
  if (!isReached) return refused(422, "There is at least one repository that is not accessible.");
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  return { status: 201, body: { token: `ghs_${installation}_${id}`, expires_at } };
}

type Asked = { seen: Seen; path: string; reached: ManyRepository | undefined };

function inRepository(state: State, { seen, path, reached }: Asked): Reply {
  const [, byId, ofId = ""] = /^\/repositories\/(\d+)(.*)$/.exec(path) ?? [];
  const [, name = "", ofName = ""] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
  const all = [...state.repositories.values()].filter(({ isGone }) => !isGone);
  const called = all.find((each) =>
    byId === undefined ? each.name === name : each.id === Number(byId),
  );
  if (!called) {
    const moved = state.repositories.get(state.earlier.get(name) ?? 0);
    return moved && !moved.isGone ? redirect(seen, moved.id, ofName) : notFound;
  }
  if (called !== reached) {
    state.foreign.push(`${seen.method} ${path}`);
    return notFound;
  }
  const rest = byId === undefined ? ofName : ofId;
  if (seen.method === "GET" && rest === "") return { body: factsOf(called) };
  const inside = { ...seen, path: `/repos/octo/example${rest}${queryOf(seen)}` };
  const asked = `${seen.method} /repos/octo/example${rest}`;
  return asInstallation(called.inside, asked, inside) ?? called.inside.fake.answer(inside);
}

const queryOf = ({ path }: Seen) => (path.includes("?") ? path.slice(path.indexOf("?")) : "");

/** GitHub sends reads on with 301, and writes with 307, which keeps their method. */
function redirect(seen: Seen, id: number, rest: string): Reply {
  const location = `/api/v3/repositories/${id}${rest}${queryOf(seen)}`;
  return { status: seen.method === "GET" ? 301 : 307, headers: { location }, body: {} };
}
