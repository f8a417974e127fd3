import { createServer, type Server } from "node:http";
import { clock } from "../../../../src/platform/clock.ts";

/** Milliseconds of some work. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = clock.monotonic();
  await work();
  return clock.monotonic() - began;
}

/** A page, and one that never answers. */
export async function servePage(): Promise<Server> {
  const server = createServer(({ url }, response) => {
    if (url === "/hang") return;
    response.setHeader("content-type", "text/html");
    response.end("<title>Bench</title><h1>Welcome</h1>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return server;
}
