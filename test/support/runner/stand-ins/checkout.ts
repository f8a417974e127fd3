import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { StandIn, StandInCall } from "../model.ts";

const execute = promisify(execFile);

/** Clones the repository for real, as deep as asked; the credential stays behind as version 6 leaves it. */
export const checkout: StandIn = async (call) => {
  const { with: given, github, place, host } = call;
  const root = resolve(place.workspace, given.path ?? "");
  mkdirSync(root, { recursive: true });
  const git = gitIn(root, place.home);
  const ref = given.ref || String(github.ref);
  const branch = /^refs\/heads\/(.+)/.exec(ref)?.[1];
  const isEvent = !given.ref && typeof github.sha === "string";
  await git("init", "-q", "-b", "main");
  await git("remote", "add", "origin", pathToFileURL(host.repository).href);
  const depth = given["fetch-depth"] ?? "1";
  const wanted = isEvent ? String(github.sha) : ref;
  const target = `refs/remotes/${branch === undefined ? "pull/merge" : `origin/${branch}`}`;
  if (depth === "0") {
    await git(
      "fetch",
      "-q",
      "origin",
      "+refs/heads/*:refs/remotes/origin/*",
      "+refs/tags/*:refs/tags/*",
    );
  }
  const limit = depth === "0" ? [] : ["--no-tags", `--depth=${depth}`];
  await git("fetch", "-q", ...limit, "origin", `+${wanted}:${target}`);
  if (branch === undefined) await git("checkout", "-q", "--detach", target);
  else await git("checkout", "-q", "-B", branch, target);
  if (given["persist-credentials"] !== "false") await keepCredential(call, root, git);
  return { ref, commit: await git("rev-parse", "HEAD") };
};

type Git = ReturnType<typeof gitIn>;

function gitIn(cwd: string, home: string) {
  const { PATH } = process.env;
  const env = { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
  return async (...args: string[]) => {
    const { stdout } = await execute("git", args, { cwd, env });
    return stdout.trim();
  };
}

async function keepCredential({ with: given, github, place }: StandInCall, root: string, git: Git) {
  const token = given.token || String(github.token);
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  const file = join(place.temp, `git-credentials-${randomUUID()}.config`);
  const address = `${github.server_url}/`;
  writeFileSync(file, `[http "${address}"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`);
  await git("config", "--local", `includeIf.gitdir:${root}/.git.path`, file);
}

/** The same, with the credential in `.git/config`, as versions before 6 leave it. */
export const olderCheckout: StandIn = async (call) => {
  const outputs = await checkout({
    ...call,
    with: { ...call.with, "persist-credentials": "false" },
  });
  if (call.with["persist-credentials"] === "false") return outputs;
  const { with: given, github, place } = call;
  const basic = Buffer.from(`x-access-token:${given.token || github.token}`).toString("base64");
  const git = gitIn(resolve(place.workspace, given.path ?? ""), place.home);
  const key = `http.${github.server_url}/.extraheader`;
  await git("config", "--local", key, `AUTHORIZATION: basic ${basic}`);
  return outputs;
};
