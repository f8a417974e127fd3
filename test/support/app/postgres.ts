import { execFile, execFileSync } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Postgres extends AsyncDisposable {
  url: string;
  stop: () => Promise<void>;
  /** Ends it before the next step of this process. */
  crash: () => void;
  start: () => Promise<void>;
}

/** A PostgreSQL server of its own for one test file; undefined where none is installed. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const programs = await findPrograms();
  if (!programs) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "ralph-postgres-"));
  const owner = await serverUser();
  if (owner) await chown(folder, owner.uid, owner.gid);
  const as = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" } };
  const data = join(folder, "data");
  const port = await freePort();
  await run(`${programs}/initdb`, ["-D", data, "-A", "trust", "-U", "postgres", "-N"], as);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const start = async () => {
    await run(
      `${programs}/pg_ctl`,
      ["-D", data, "-o", options, "-l", join(folder, "log"), "-w", "start"],
      as,
    );
  };
  const ending = ["-D", data, "-m", "immediate", "-w", "stop"];
  const stop = async () => {
    await run(`${programs}/pg_ctl`, ending, as);
  };
  const crash = () => {
    execFileSync(`${programs}/pg_ctl`, ending, { ...as, stdio: "ignore" });
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    crash,
    async [Symbol.asyncDispose]() {
      await stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Debian keeps them out of PATH. */
async function findPrograms(): Promise<string | undefined> {
  const find = 'dirname "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -1)"';
  const { stdout } = await run("sh", ["-c", find]).catch(() => ({ stdout: "" }));
  return stdout.trim().startsWith("/") ? stdout.trim() : undefined;
}

/** The server refuses to run as root. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
