import type { Environment } from "../../platform/system.ts";

/** The way out of the network cage of one call. */
export interface CallNetwork extends AsyncDisposable {
  /** The socket of the proxy, absolute. */
  readonly socket: string;
  /** Variables that lead the program to its model; a key among them is a stand-in. */
  readonly env: Environment;
  /** Targets the program tried to reach and may not, `host:port`. */
  readonly refused: () => readonly string[];
}
