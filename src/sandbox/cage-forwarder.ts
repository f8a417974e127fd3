import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

/**
 * Runs inside a network cage, as `cage-forwarder SOCKET PORT PROGRAM ARGUMENT...`: passes connections to a port of the
 * loopback interface on to the proxy's socket, and starts the program once that works. It ends as the program does.
 */
const [socket = "", port = "", file = "", ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: socket, allowHalfOpen: true });
  inside.on("error", () => outside.destroy());
  outside.on("error", () => inside.destroy());
  inside.pipe(outside).pipe(inside);
});
// Reported like bubblewrap's own errors: nothing was started.
const fail = (reason: string) => {
  process.stderr.write(`bwrap: ${reason}\n`);
  process.exit(1);
};
server.on("error", ({ message }) => fail(`network cage: ${message}`));
server.listen(Number(port), "127.0.0.1", () => {
  const tried = connect(socket);
  tried.on("error", ({ message }) => fail(`network cage: ${message}`));
  tried.on("connect", () => {
    tried.destroy();
    start();
  });
});

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
