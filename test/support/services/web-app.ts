import { readFileSync } from "node:fs";
import { freePort } from "./scripts.ts";

const folder = new URL("../../fixtures/web-app/", import.meta.url);
const names = ["backend.mjs", "frontend.mjs", "index.html"];

/** The files of a small web application: a JSON API, a server for its page, and the page. */
export const webAppFiles = (): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));

/** `services` of ralph.yml for it, on free ports; `node` starts them. */
export async function webAppServices(node = process.execPath) {
  return {
    backend: {
      start: { dev: `exec ${node} backend.mjs {port}` },
      port: await freePort(),
      health: ["/health"],
    },
    frontend: { serve: { dev: `exec ${node} frontend.mjs {port}` }, port: await freePort() },
  };
}
