import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { planServices } from "../../../../src/core/verify/plan-services.ts";
import { Services } from "../../../../src/schema/config/services.ts";
import { callApi } from "../../../../src/services/call-api.ts";
import { median } from "../measure.ts";
import { type Row, row } from "../row.ts";
import { servePage, timed } from "./figures.ts";

const requests = 50;

/** One request of a criterion to a service that is up, with its evidence, beside the request alone. */
export async function measureApi(): Promise<Row> {
  const server = await servePage();
  const { port } = server.address() as AddressInfo;
  const services = Services.parse({ web: { start: { dev: "x {port}" }, port } });
  const { plans } = planServices(services, "dev");
  const evidence = { sha256: "", bytes: 0 };
  const redact = (text: string) => text;
  const deps = { plans, redact, connectTo: () => undefined, keepEvidence: async () => evidence };
  const request = { method: "GET", target: "/", status: 200 } as const;
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < requests; round++) {
    ours.push(await timed(() => callApi(deps, request)));
    bare.push(await timed(() => askBare(port)));
  }
  server.close();
  const beside = `${median(bare).toFixed(0)} ms`;
  return row("an API criterion on a warm stage", median(ours), "ms", { goal: 20, beside });
}

const askBare = (port: number) =>
  new Promise((resolve, reject) => {
    get({ port, agent: false }, (answer) => answer.resume().on("end", resolve)).on("error", reject);
  });
