import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandPlace } from "./command.ts";
import { hasProgram } from "./programs.ts";

const loseIpv4 = "ip link set lo up; ip addr del 127.0.0.1/8 dev lo";

/** Whether this machine can play one that has IPv6 only. */
export const canLoseIpv4 = hasProgram("unshare", ["-mn", "sh", "-ec", loseIpv4]);
if (!canLoseIpv4)
  console.log("skipped: tests on a machine with IPv6 only; this one cannot play it");

/** A machine whose only address is `::1`, where `localhost` leads there too. */
export function ipv6Only(folder: string): Pick<CommandPlace, "mounts" | "isOffline"> {
  const hosts = join(folder, "hosts");
  writeFileSync(hosts, "::1 localhost\n");
  return { mounts: `${loseIpv4}; mount --bind ${hosts} /etc/hosts`, isOffline: true };
}
