import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { Fact } from "../../src/core/state/event.ts";
import { isPortOpen } from "../../src/platform/net/is-port-open.ts";
import { startServices } from "../../src/services/start-services.ts";
import { times } from "../setup/sampled.ts";
import { createTestSystem } from "../support/project/system.ts";
import { freePort, nodeScript, server, stubborn } from "../support/services/scripts.ts";
import { planOf, serviceDeps } from "../support/services/service-deps.ts";

type More = Parameters<typeof planOf>[1] | undefined;

async function start(command: string, more: Partial<NonNullable<More>> = {}) {
  const system = await createTestSystem();
  const deps = await serviceDeps(system);
  const port = more.port ?? (await freePort());
  const outcome = await startServices(deps, planOf(command, { port, ...more }));
  return { system, deps, port, outcome, facts: deps.facts };
}

const types = (facts: readonly Fact[]) => facts.map(({ type }) => type);

test("a service is up when it answers, and its port is free again afterwards", async () => {
  const { outcome, facts, port, system } = await start(nodeScript(server()));
  await using _ = system;
  if (outcome.kind !== "up") throw new Error(outcome.failure.detail);
  expect(await isPortOpen(port)).toBe(true);
  await outcome.services[Symbol.asyncDispose]();
  expect(await isPortOpen(port)).toBe(false);
  expect(types(facts)).toEqual(["service_start", "service_ready", "service_stop"]);
});

test("a server, a shell and a detached child that all ignore SIGTERM are ended", async () => {
  const { outcome, facts, port, system } = await start(stubborn);
  await using _ = system;
  if (outcome.kind !== "up") throw new Error(outcome.failure.detail);
  await outcome.services[Symbol.asyncDispose]();
  expect(await isPortOpen(port)).toBe(false);
  const [stopped] = facts.filter((fact) => fact.type === "service_stop");
  expect(stopped?.survivors).toBe(0);
});

// Often, because a killed program loses its environment and its main thread a moment before its ports.
test("a service that puts itself into the background is watched and ended", async () => {
  const daemon = nodeScript(server()).replace("exec ", "");
  for (let round = 0; round < times(3, 20); round++) {
    const { outcome, port, system } = await start(`setsid ${daemon} >/dev/null 2>&1 </dev/null &`);
    await using _ = system;
    if (outcome.kind !== "up") throw new Error(outcome.failure.detail);
    await outcome.services[Symbol.asyncDispose]();
    expect(await isPortOpen(port)).toBe(false);
  }
});

test.each([
  {
    title: "that exits at once fails with its code and its last lines",
    command: "echo no database; exit 3",
    why: "exit",
    detail: /exit code 3\nno database/,
  },
  {
    title: "that ends well at once is asked to stay in the foreground",
    command: "true",
    why: "exit",
    detail: /must stay in the foreground/,
  },
  {
    title: "that never becomes healthy fails at its time limit with the last answer",
    command: nodeScript(server(503)),
    more: { timeout: 1, health: ["/health"] },
    why: "timeout",
    detail: /not healthy after 1 s: \/health answers 503/,
  },
  {
    title: "that answers health with a redirect is not healthy",
    command: nodeScript(server(302)),
    more: { timeout: 1, health: ["/health"] },
    why: "timeout",
    detail: /answers 302/,
  },
  {
    title: "whose build fails is not started",
    command: nodeScript(server()),
    more: { build: "echo broken build; exit 1" },
    why: "build",
    detail: /exit code 1\nbroken build/,
  },
])("a service $title", async ({ command, more, why, detail }) => {
  const { outcome, facts, port, system } = await start(command, more);
  await using _ = system;
  expect(outcome).toMatchObject({ kind: "failed", failure: { service: "web", why } });
  expect(facts.find(({ type }) => type === "service_failed")).toMatchObject({
    detail: expect.stringMatching(detail),
  });
  expect(await isPortOpen(port)).toBe(false);
});

// The test would run into its own time limit if anything waited for the service's.
test("a service that exits at once is noticed without waiting, with its code and its last 20 lines", async () => {
  const command = "for i in $(seq 25); do echo line $i; done; exit 3";
  const { outcome, system } = await start(command, { timeout: 300, health: ["/health"] });
  await using _ = system;
  if (outcome.kind !== "failed") throw new Error("It is up.");
  expect(outcome.failure.why).toBe("exit");
  const last = Array.from({ length: 20 }, (_, index) => `line ${index + 6}`);
  expect(outcome.failure.detail).toBe(["it ended with exit code 3", ...last].join("\n"));
});

test("a service that exits at once ends the wait for the others", async () => {
  const system = await createTestSystem();
  await using _ = system;
  const [port, other] = [await freePort(), await freePort()];
  const deps = await serviceDeps(system);
  const slow = planOf(nodeScript(server(503)), { port, timeout: 300, health: ["/health"] });
  const plans = [...slow, ...planOf("exit 7", { port: other, timeout: 300 })];
  const outcome = await startServices(deps, plans);
  expect(outcome).toMatchObject({ kind: "failed", failure: { why: "exit" } });
  expect(types(deps.facts).filter((type) => type === "service_stop")).toHaveLength(2);
  expect(await isPortOpen(port)).toBe(false);
});

test("a service that listens on another port fails with the port it uses", async () => {
  const other = await freePort();
  const command = nodeScript(server().replace("+process.argv[1]", String(other)));
  const { outcome, system } = await start(command, { timeout: 1 });
  await using _ = system;
  expect(outcome).toMatchObject({ kind: "failed", failure: { why: "wrong_port" } });
  if (outcome.kind === "failed") expect(outcome.failure.detail).toContain(`listens on ${other}`);
});

test("a taken port is refused before anything starts, with the program that holds it", async () => {
  const port = await freePort();
  const holder = createServer().listen(port, "127.0.0.1");
  const { outcome, facts, system } = await start(nodeScript(server()), { port });
  await using _ = system;
  holder.close();
  expect(outcome).toMatchObject({ kind: "failed", failure: { why: "port" } });
  if (outcome.kind === "failed") expect(outcome.failure.detail).toContain(`pid ${process.pid}`);
  expect(types(facts)).toEqual(["service_failed"]);
});

test("an answer from a program that is not the service does not count", async () => {
  const port = await freePort();
  // It only gets the port after the check, as a program that an agent has left behind may do.
  const system = await createTestSystem();
  await using _ = system;
  const deps = await serviceDeps(system);
  let stranger: ReturnType<typeof createServer> | undefined;
  const notice: typeof deps.notice = async (fact) => {
    if (fact.type === "service_start") {
      stranger = createServer((_, response) => response.end("mine")).listen(port, "127.0.0.1");
    }
  };
  const outcome = await startServices({ ...deps, notice }, planOf("sleep 60", { port }));
  stranger?.close();
  expect(outcome).toMatchObject({ kind: "failed", failure: { why: "stranger" } });
});

test("the end of a healthy service is noticed at once, with its last lines", async () => {
  const dying = `${server()} setTimeout(() => { console.log("out of memory"); process.exit(9) }, 400);`;
  const { outcome, system } = await start(nodeScript(dying));
  await using _ = system;
  if (outcome.kind !== "up") throw new Error(outcome.failure.detail);
  const failure = await outcome.services.crashed;
  expect(failure).toMatchObject({ why: "crash" });
  expect(failure.detail).toMatch(/exit code 9\nout of memory/);
  await outcome.services[Symbol.asyncDispose]();
});

test("a flood of output is cut and counted, and the service stays up", async () => {
  const loud = `${server()} for (let i = 0; i < 80_000; i++) console.log("x".repeat(100));`;
  const { outcome, deps, system } = await start(nodeScript(loud));
  await using _ = system;
  if (outcome.kind !== "up") throw new Error(outcome.failure.detail);
  await outcome.services[Symbol.asyncDispose]();
  expect(deps.outputs[0]?.length).toBeLessThan(5_000_000);
});

test("what a service prints is redacted before it is stored", async () => {
  const { outcome, deps, system } = await start(nodeScript(`${server()} console.log("a secret")`));
  await using _ = system;
  if (outcome.kind === "up") await outcome.services[Symbol.asyncDispose]();
  expect(deps.outputs.join()).toContain("a ***");
});

test("a cancelled start leaves nothing running", async () => {
  const system = await createTestSystem();
  await using _ = system;
  const cancel = new AbortController();
  const deps = await serviceDeps(system, cancel.signal);
  const port = await freePort();
  const starting = startServices(deps, planOf(nodeScript(server(503)), { port, health: ["/"] }));
  await expect.poll(() => types(deps.facts)).toContain("service_start");
  cancel.abort();
  expect(await starting).toMatchObject({ kind: "failed" });
  expect(await isPortOpen(port)).toBe(false);
});
