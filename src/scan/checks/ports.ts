import { isPortOpen } from "../../platform/net/is-port-open.ts";
import { describePortOwner } from "../../platform/process/listening-ports.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** Checks that the ports of services are free: a service whose port is taken ends a run (exit 9). */
export const ports: Check = {
  name: "ports",
  needs: ["config"],
  run: async (context) => {
    const services = Object.entries((await context.config()).config.services);
    if (services.length === 0) return pass("no services are configured");
    const taken: string[] = [];
    for (const [name, { port }] of services) {
      if (!(await isPortOpen(port))) continue;
      const owner = describePortOwner(port) ?? "another program";
      taken.push(`port ${port} of ${name} is taken by ${owner}`);
    }
    if (taken.length === 0) return pass(services.map(([, { port }]) => port).join(", "));
    return warningResult(taken.join("\n"), {
      remedy: "End these programs before a run, or set other ports in `services`.",
    });
  },
};
