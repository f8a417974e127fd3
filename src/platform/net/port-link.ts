import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createServer, type Socket } from "node:net";

/** Makes one connection to a port; rejects when the signal aborts first. */
export type Connect = (signal: AbortSignal) => Promise<Socket>;

/**
 * The way to a port inside a network cage, which nobody outside can connect to. A program in that cage connects to `served`
 * and waits; each of its connections then carries one connection to the port: of who connects to `reached`, or of ralph.
 */
export interface PortLink extends AsyncDisposable {
  readonly port: number;
  /** Paths of sockets. */
  readonly served: string;
  readonly reached: string;
  readonly connect: Connect;
}

/** Most connections that wait on each side: programs in the cages decide both. */
const maxWaiting = 256;

/** Listens on two sockets in `folder`, which only ralph can write. */
export async function openPortLink(folder: string, port: number): Promise<PortLink> {
  const parked = new Set<Socket>();
  const waiting = new Set<(socket: Socket) => void>();
  const served = await listen({ folder, name: `served-${port}` }, (socket) => {
    const [next] = waiting;
    if (!next && parked.size >= maxWaiting) return void socket.destroy();
    socket.once("close", () => parked.delete(socket));
    if (!next) return void parked.add(socket);
    waiting.delete(next);
    next(socket);
  });
  const connect: Connect = async (signal) => {
    signal.throwIfAborted();
    const [free] = parked;
    if (free) return take(parked, free);
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    if (waiting.size >= maxWaiting) throw new Error(`too many connections wait for port ${port}`);
    const give = (socket: Socket) => resolve(take(parked, socket));
    waiting.add(give);
    signal.addEventListener("abort", () => {
      waiting.delete(give);
      reject(signal.reason);
    });
    return promise;
  };
  const reached = await listen({ folder, name: `reached-${port}` }, (client) => {
    const gone = new AbortController();
    client.once("close", () => gone.abort(new Error("the client is gone")));
    connect(gone.signal).then(
      (inside) => join(client, inside),
      () => client.destroy(),
    );
  });
  return {
    port,
    served: served.path,
    reached: reached.path,
    connect,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([served.close(), reached.close()]);
    },
  };
}

/** The program behind it connects to the port when the first byte comes. */
function take(parked: Set<Socket>, socket: Socket): Socket {
  parked.delete(socket);
  socket.write("\n");
  return socket;
}

function join(client: Socket, inside: Socket): void {
  client.on("error", () => inside.destroy());
  inside.on("error", () => client.destroy());
  client.pipe(inside).pipe(client);
}

/** Bound below the folder's descriptor: the path of a socket may have 107 bytes only, and stores lie deep. */
async function listen(
  { folder, name }: { folder: string; name: string },
  accept: (socket: Socket) => void,
) {
  const open = new Set<Socket>();
  const descriptor = openSync(folder, "r");
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // One that breaks is closed next.
    socket.on("error", () => undefined);
    accept(socket);
  });
  server.listen(`/proc/self/fd/${descriptor}/${name}`);
  await once(server, "listening");
  server.unref();
  return {
    path: `${folder}/${name}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      closeSync(descriptor);
    },
  };
}
