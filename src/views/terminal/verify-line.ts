import type { VerifyFact } from "../../core/state/verify-event.ts";
import { renderDuration } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { picturePath } from "../summary/picture-path.ts";
import { bad, type Description, good, plain } from "./line-marks.ts";

/**
 * One line for each service and each test; starts are shown in verbose output only. `pictures`: how many there are after
 * the event, as they number the files.
 */
export function describeVerification(event: VerifyFact, pictures: number): Description {
  switch (event.type) {
    case "verify_start":
      return plain("the program is verified", "verbose");
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
      return testEnd(event, pictures);
    case "verify_phase_end":
      return phaseEnd(event);
    case "page_seen": {
      const { task, when, page, picture } = event;
      const shown = picture ? "seen" : "could not be shown";
      return plain(plainLine(`${page} ${when} ${task}: ${shown}`), "verbose");
    }
  }
}

/** One line for a gate that no task has asked for. */
export function describeGateRun({ gate, status, ms, detail }: GateRun): Description {
  const text = `gate ${gate} ${status.replaceAll("_", " ")}, ${renderDuration(ms)}`;
  const isGreen = status === "passed" || status === "skipped";
  return isGreen ? good(plainLine(text)) : withOutput(`${text}: ${detail}`);
}
type GateRun = { gate: string; status: string; ms: number; detail: string };

function testEnd(
  event: Extract<VerifyFact, { type: "ui_test_end" }>,
  pictures: number,
): Description {
  const { test, status, ms, detail, picture } = event;
  if (status === "passed") return good(plainLine(`${test} ${renderDuration(ms)}`));
  if (status === "skipped") return plain(plainLine(`${test} skipped: ${detail}`));
  const [first = "", ...more] = detail.split("\n");
  const shown = picture ? ` (${picturePath(test, pictures, picture)})` : "";
  return withOutput([`${test}: ${first}${shown}`, ...more].join("\n"));
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
