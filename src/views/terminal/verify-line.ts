import type { VerifyFact } from "../../core/state/verification.ts";
import { renderDuration } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { bad, type Description, good, plain } from "./line-marks.ts";

/** One line for each service and each test; starts are shown in verbose output only. */
export function describeVerification(event: VerifyFact): Description {
  switch (event.type) {
    case "service_start":
      return plain(
        plainLine(`${event.service} starts on port ${event.port}: ${event.command}`, 400),
        "verbose",
      );
    case "service_ready":
      return good(plainLine(`${event.service} is up on ${event.url}, ${renderDuration(event.ms)}`));
    case "service_failed":
      return withOutput(`${event.service}: ${event.detail}`);
    case "service_stop":
      return plain(plainLine(`${event.service} stopped, ${renderDuration(event.ms)}`), "verbose");
    case "ui_test_start":
      return plain(plainLine(`${event.framework} test ${event.test}`), "verbose");
    case "ui_test_end":
      return testEnd(event);
    case "verify_phase_end":
      return phaseEnd(event);
  }
}

function testEnd(event: Extract<VerifyFact, { type: "ui_test_end" }>): Description {
  const { test, status, ms, detail } = event;
  if (status === "passed") return good(plainLine(`${test} ${renderDuration(ms)}`));
  return status === "skipped"
    ? plain(plainLine(`${test} skipped: ${detail}`))
    : withOutput(`${test}: ${detail}`);
}

function phaseEnd(event: Extract<VerifyFact, { type: "verify_phase_end" }>): Description {
  const { phase, status, ms, detail } = event;
  const text = plainLine(`${phase} ${status}, ${renderDuration(ms)}`);
  if (status === "passed") return good(text, "verbose");
  return phase === "gates" || (phase === "robot" && detail !== "")
    ? withOutput(`${phase}: ${detail}`)
    : bad(text, "verbose");
}

const shownLines = 20;

function withOutput(text: string): Description {
  const [first = "", ...more] = plainText(text).trim().split("\n");
  const output = more.slice(0, shownLines).map((line) => plainLine(line, 160));
  return { ...bad(plainLine(first, 600), "normal"), output };
}
