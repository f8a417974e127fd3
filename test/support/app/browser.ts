import { request } from "node:http";

/** What a browser got. */
export interface Shown {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Somebody's browser: it keeps cookies and follows nothing by itself. */
export interface Browser {
  cookies: Map<string, string>;
  open: (path: string) => Promise<Shown>;
  send: (path: string, form: Record<string, string>) => Promise<Shown>;
}

export function createBrowser(url: string): Browser {
  const cookies = new Map<string, string>();
  const ask = (path: string, body?: string) =>
    new Promise<Shown>((resolve, reject) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const type = "application/x-www-form-urlencoded";
      const headers = { cookie, ...(body !== undefined && { "content-type": type }) };
      const method = body === undefined ? "GET" : "POST";
      const asked = request(`${url}${path}`, { method, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        for (const set of response.headers["set-cookie"] ?? []) keepCookie(cookies, set);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      });
      asked.on("error", reject);
      asked.end(body);
    });
  return {
    cookies,
    open: (path) => ask(path),
    send: (path, form) => ask(path, new URLSearchParams(form).toString()),
  };
}

function keepCookie(cookies: Map<string, string>, set: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
  if (/; Max-Age=0;/.test(set)) cookies.delete(name);
  else cookies.set(name, value);
}
