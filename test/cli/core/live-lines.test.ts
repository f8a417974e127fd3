import { expect, onTestFinished, test, vi } from "vitest";
import { createLiveLines } from "../../../src/cli/core/live-lines.ts";
import { createOutput } from "../../../src/cli/core/output.ts";

/** Live lines on a stream, with a clock the test moves. */
function open({ isTTY }: { isTTY: boolean }) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let text = "";
  const stream = {
    isTTY,
    write: (more: string) => {
      text += more;
    },
  };
  const output = createOutput({ color: false }, {}, { stdout: stream, stderr: stream });
  const live = createLiveLines(output, { monotonic: () => Date.now() });
  return {
    live,
    text: () => text,
    pass: (seconds: number) => vi.advanceTimersByTime(seconds * 1000),
  };
}

test("a setup step is announced, and each 10 s of its silence too, until it ends", () => {
  const { live, text, pass } = open({ isTTY: false });
  const ended = live.began?.({ kind: "setup", name: "npm ci" });
  expect(text()).toBe("· setup npm ci started\n");
  pass(25);
  expect(text()).toBe(
    "· setup npm ci started\n… setup npm ci runs for 10.0 s\n… setup npm ci runs for 20.0 s\n",
  );
  ended?.();
  pass(60);
  expect(text().split("\n")).toHaveLength(4);
});

test("in a file a long call is shown once a minute after the first", () => {
  const { live, text, pass } = open({ isTTY: false });
  live.began?.({ kind: "call-agent", task: "T-001", role: "review" });
  pass(180);
  const lines = text().trim().split("\n");
  expect(lines).toHaveLength(8);
  expect(lines.at(-1)).toBe("… T-001 review runs for 3 min 00 s");
});

test("on a terminal the newest such line replaces the one before", () => {
  const { live, text, pass } = open({ isTTY: true });
  live.began?.({ kind: "call-agent", task: "T-001", role: "review" });
  pass(20);
  expect(text()).toBe(
    "… T-001 review runs for 10.0 s\n\u001b[1A\u001b[2K… T-001 review runs for 20.0 s\n",
  );
});
