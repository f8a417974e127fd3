import type { CallNetwork } from "../../agents/call/call-network.ts";
import type { Driver } from "../../agents/drivers/driver.ts";
import type { SandboxNetwork } from "../../sandbox/network-cage.ts";

/** The network of a session's programs in the sandbox. */
export interface SessionNetwork {
  readonly gates: SandboxNetwork;
  /** The network of one agent call; undefined with the machine's own. */
  readonly openCall: (call: {
    driver: Driver;
    readOnly: boolean;
  }) => Promise<CallNetwork | undefined>;
  /** Targets that gates tried to reach and may not, `host:port`. */
  readonly refused: () => readonly string[];
}
