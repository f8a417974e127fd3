import { spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";

/**
 * Runs inside a network cage, as `cage-forwarder FOLDER PORTS PROGRAM ARGUMENT...`, and starts the program once its ports
 * work. `out-PORT`: connections to that port of the loopback interface go on to the socket of this name in the folder.
 * `in-PORT`: what comes through the socket goes on to the port. It ends as the program does.
 */
const [folder = "", ports = "", file = "", ...args] = process.argv.slice(2);
const names = ports.split(",");
const portOf = (name: string) => Number(name.replace(/^\D+/, ""));

/** Connections that are kept ready for clients of a port inside. */
const readyCount = 8;

// Reported like bubblewrap's own errors: nothing was started.
const fail = (reason: string) => {
  process.stderr.write(`bwrap: ${reason}\n`);
  process.exit(1);
};

function join(one: Socket, other: Socket): void {
  one.on("error", () => other.destroy());
  other.on("error", () => one.destroy());
  one.pipe(other).pipe(one);
}

/** Resolves when the port is there; its way out is tried once. */
function lead(name: string): Promise<void> {
  const socket = { path: `${folder}/${name}`, allowHalfOpen: true };
  const failed = ({ message }: Error) => fail(`network cage: ${message}`);
  const accept = (inside: Socket) => join(inside, connect(socket));
  const server = createServer({ allowHalfOpen: true }, accept).on("error", failed);
  // Clients that ask for `localhost` may try this first; a kernel without IPv6 has none.
  const server6 = createServer({ allowHalfOpen: true }, accept).on("error", () => undefined);
  return new Promise((resolve) => {
    server.listen(portOf(name), "127.0.0.1", () => {
      server6.listen(portOf(name), "::1");
      const tried = connect(socket).on("error", failed);
      tried.on("connect", () => resolve(void tried.destroy()));
    });
  });
}

/** Keeps one connection ready; its first byte says that it is used. */
function wait(name: string): void {
  const outside = connect({ path: `${folder}/${name}`, allowHalfOpen: true });
  outside.on("error", () => outside.destroy());
  outside.once("readable", () => {
    if (outside.read(1) === null) {
      outside.destroy();
      return;
    }
    wait(name);
    enter(outside, portOf(name));
  });
}

/** A server may listen on one of the loopback addresses only. */
function enter(outside: Socket, port: number, host = "127.0.0.1"): void {
  const inside = connect({ host, port, allowHalfOpen: true });
  const next = () => {
    if (host === "::1") outside.destroy();
    else enter(outside, port, "::1");
  };
  inside.once("error", next);
  inside.once("connect", () => {
    inside.off("error", next);
    join(inside, outside);
  });
}

function start(): void {
  // The program has its own time to comply; its end is the end of the cage.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  const child = spawn(file, args, { stdio: "inherit" });
  child.on("error", (error) => {
    const isMissing = "code" in error && error.code === "ENOENT";
    fail(`execvp ${file}: ${isMissing ? "No such file or directory" : error.message}`);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 0);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

await Promise.all(names.filter((name) => name.startsWith("out-")).map(lead));
for (const name of names.filter((each) => each.startsWith("in-")))
  for (let count = 0; count < readyCount; count++) wait(name);
start();
