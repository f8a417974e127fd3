import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A port on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A shell command that runs a script with Node; `{port}` stays for the supervisor. */
export const nodeScript = (script: string) =>
  `exec ${process.execPath} -e '${script.replaceAll("'", "'\\''")}' {port}`;

/** Answers every path with a status. */
export const server = (status = 200) =>
  `require("http").createServer((q, r) => { r.statusCode = ${status}; r.end("ok"); }).listen(+process.argv[1], "127.0.0.1");`;

/** A shell, a child of a session of its own and a server that all ignore SIGTERM; the server's parent ends. */
export const stubborn = `trap '' TERM
(setsid bash -c 'trap "" TERM; exec sleep 300') &
${process.execPath} -e 'process.on("SIGTERM", () => {}); ${server()}' {port} &
wait
while :; do sleep 1; done`;
