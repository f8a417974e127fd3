import { RalphError } from "../../error.ts";
import type { RemoteAddress } from "./remote.ts";

/** A repository as the URL of a remote names it. */
export interface ParsedRemote {
  /** Where git pushes to, without a name or password in it. */
  url: string;
  /** Its server and its name there; absent for a folder of this machine. */
  hosted?: { host: string; repository: string; apiUrl: string };
}

/** Whether a host, with or without a port, is this machine. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
/** `git@github.com:owner/name.git`: no scheme, and a colon before the path. */
const scpForm = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)([^\s]+)$/;

/** Reads the URL of a remote in every form git takes (https, ssh, scp); GitHub Enterprise included. Pure. */
export function parseRemoteUrl(text: string): ParsedRemote | undefined {
  if (text.startsWith("/")) return { url: `file://${text}` };
  if (text.startsWith("file:///")) return { url: text };
  const [, scpHost, scpPath] = scpForm.exec(text) ?? [];
  if (scpHost !== undefined && scpPath !== undefined) return placeOf(scpHost, scpPath);
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(text);
  if (protocol === "ssh:" || protocol === "git+ssh:") return placeOf(hostname, pathname);
  if (protocol === "https:") return placeOf(host, pathname);
  return protocol === "http:" && isLoopback(host) ? placeOf(host, pathname) : undefined;
}

/** github.com answers ssh under a second name as well, for networks that let nothing else through. */
const otherNames: Readonly<Record<string, string>> = {
  "ssh.github.com": "github.com",
  "www.github.com": "github.com",
};

function placeOf(name: string, path: string): ParsedRemote | undefined {
  const host = otherNames[name.toLowerCase()] ?? name.toLowerCase();
  const repository = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return undefined;
  const server = `${isLoopback(host) ? "http" : "https"}://${host}`;
  return {
    url: `${server}/${repository}.git`,
    hosted: { host, repository, apiUrl: apiOf(host, server) },
  };
}

function apiOf(host: string, server: string): string {
  if (host === "github.com") return "https://api.github.com";
  return host.endsWith(".ghe.com") ? `https://api.${host}` : `${server}/api/v3`;
}

/** The same as the place a branch is pushed to. */
export function addressOf({ url, hosted }: ParsedRemote, token: string | undefined): RemoteAddress {
  if (!hosted) return { url, allowsFiles: true };
  return { url, ...(token !== undefined && { token }) };
}

/** What a remote without a readable URL means for whoever publishes. */
export function unknownRemote(name: string, url: string | undefined): RalphError {
  if (url === undefined) {
    return new RalphError("config", {
      message: `There is no remote named ${name}.`,
      remedy: `Add it: \`git remote add ${name} https://github.com/OWNER/NAME.git\`, or name another one by \`git.remote\`.`,
    });
  }
  return new RalphError("config", {
    message: `The URL of the remote ${name} names no repository to publish to.`,
    remedy: `Set one such as https://github.com/OWNER/NAME.git: \`git remote set-url ${name} URL\`.`,
  });
}
