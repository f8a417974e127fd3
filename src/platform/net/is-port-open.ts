import { connect } from "node:net";

/** Whether a program accepts connections on a port of this machine, on either loopback address. */
export async function isPortOpen(port: number): Promise<boolean> {
  const answers = await Promise.all(["127.0.0.1", "::1"].map((host) => accepts(host, port)));
  return answers.includes(true);
}

/** Only a backlog that is full leaves a connection to this machine undecided. */
const timeoutMs = 1000;

function accepts(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, timeout: timeoutMs });
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  socket.once("timeout", () => resolve(true));
  return promise.finally(() => socket.destroy());
}
