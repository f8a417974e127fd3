import { RalphError } from "../../error.ts";

/** The repository branches are pushed to, and the token used. */
export interface RemoteAddress {
  /** `https://github.com/owner/name.git`. */
  url: string;
  token?: string;
  /** Also allows `file:` addresses: a repository on this machine. */
  allowsFiles?: true;
}

/** A repository, parsed from the URL of a remote. */
export interface ParsedRemote {
  /** The URL git pushes to, without user name and password. */
  url: string;
  /** Server and repository name; absent for a folder on this machine. */
  hosted?: { host: string; repository: string; apiUrl: string };
}

/** Whether a host, with or without a port, is this machine. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);

/** Whether a token may be sent to an address: https, or http on this machine. */
export function isSafeUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username || password) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** `git@github.com:owner/name.git`: no scheme, and a colon before the path. */
const scpForm = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)([^\s]+)$/;

/** Parses the URL of a remote in every form git accepts (https, ssh, scp), also of GitHub Enterprise. Pure. */
export function parseRemoteUrl(text: string): ParsedRemote | undefined {
  if (text.startsWith("/")) return { url: `file://${text}` };
  if (text.startsWith("file:///")) return { url: text };
  const [, scpHost, scpPath] = scpForm.exec(text) ?? [];
  if (scpHost !== undefined && scpPath !== undefined) return parsedRemote(scpHost, scpPath);
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(text);
  if (protocol === "ssh:" || protocol === "git+ssh:") return parsedRemote(hostname, pathname);
  if (protocol === "https:") return parsedRemote(host, pathname);
  return protocol === "http:" && isLoopback(host) ? parsedRemote(host, pathname) : undefined;
}

function parsedRemote(name: string, path: string): ParsedRemote | undefined {
  // ssh.github.com serves networks that block port 22.
  const host = name.toLowerCase().replace(/^(?:ssh|www)\.(?=github\.com$)/, "");
  const repository = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return undefined;
  const server = `${isLoopback(host) ? "http" : "https"}://${host}`;
  const isHub = host === "github.com" || host.endsWith(".ghe.com");
  const apiUrl = isHub ? `https://api.${host}` : `${server}/api/v3`;
  return { url: `${server}/${repository}.git`, hosted: { host, repository, apiUrl } };
}

/** The address a branch is pushed to. */
export function addressOf({ url, hosted }: ParsedRemote, token: string | undefined): RemoteAddress {
  if (!hosted) return { url, allowsFiles: true };
  return { url, ...(token !== undefined && { token }) };
}

/** The error for a remote that is missing or has no usable URL. */
export function unknownRemote(name: string, url: string | undefined): RalphError {
  if (url === undefined) {
    return new RalphError("config", {
      message: `There is no remote named ${name}.`,
      remedy: `Add it: \`git remote add ${name} https://github.com/OWNER/NAME.git\`, or name another one by \`git.remote\`.`,
    });
  }
  return new RalphError("config", {
    message: `The URL of the remote ${name} does not name a repository to publish to.`,
    remedy: `Set a URL such as https://github.com/OWNER/NAME.git: \`git remote set-url ${name} URL\`.`,
  });
}
