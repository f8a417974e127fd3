import { vi } from "vitest";
import type { FakeGitHub } from "./fake-github.ts";
import { checkExchange } from "./openapi/check-exchange.ts";

/** How far time moves with each look; a request takes a few of them. */
const stepMs = 50;
const { setTimeout: realTimeout } = globalThis;
/** How long the client waits for an answer. */
const hangMs = 30_000;

/**
 * Runs something against fake GitHubs in a time of its own, in which hours pass in seconds: the client is the real one,
 * with its pauses and retries. Each fake answers at the address `addressOf` tells.
 */
export async function inFakeTime<Result>(
  fakes: readonly FakeGitHub[],
  act: () => Promise<Result>,
): Promise<Result> {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  vi.setSystemTime(Date.UTC(2026, 0, 25, 15));
  const hosts = new Map(fakes.map((fake) => [new URL(addressOf(fake)).host, fake]));
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => {
    const url = new URL(address);
    return answerAs(hosts.get(url.host), url, options);
  });
  try {
    const result = act();
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    result.then(over, over);
    while (!isOver) {
      vi.advanceTimersByTime(stepMs);
      // Without a timer it waits for a program, and that takes real time.
      if (vi.getTimerCount() === 0) await new Promise((resolve) => realTimeout(resolve, 1));
      else await new Promise(setImmediate);
    }
    return await result;
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
}

/** The base address of a fake's API. */
export const addressOf = ({ repository }: FakeGitHub) =>
  `https://${repository.replaceAll("/", "-").toLowerCase()}.example/api/v3`;

/** Sleeps in the fake time. */
export const fakeClock = {
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};

async function answerAs(
  fake: FakeGitHub | undefined,
  url: URL,
  { method = "GET", headers, body }: RequestInit,
): Promise<Response> {
  if (!fake) throw new Error(`There is no ${url.host}.`);
  const asked = {
    method,
    path: `${url.pathname}${url.search}`,
    authorization: new Headers(headers).get("authorization") ?? undefined,
    body: body ? JSON.parse(String(body)) : undefined,
  };
  const reply = fake.answer(asked);
  checkExchange(asked, reply);
  if (reply.broken === "hang") {
    await fakeClock.sleep(hangMs);
    throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
  }
  if (reply.broken === "reset") {
    throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
  }
  const type = { "content-type": "application/json; charset=utf-8" };
  const response = new Response(JSON.stringify(reply.body ?? {}), {
    status: reply.status ?? 200,
    headers: { ...type, ...reply.headers },
  });
  return Object.defineProperty(response, "url", { value: url.href });
}
