import type { VerifyFact } from "../../core/state/verify-event.ts";
import { plainLine } from "../../text/plain-text.ts";
import { infoLine, type Line } from "./timeline-line.ts";

/** The published names of services and user interface tests (specs 004 4.6); other facts are `info`. */
export function verifyLines(event: VerifyFact): Line[] {
  switch (event.type) {
    case "verify_start":
      return [infoLine("verification started", { tree: event.tree })];
    case "service_start": {
      const { service, port, env, pid } = event;
      return [{ event: "service_start", details: { service, port, env, pid } }];
    }
    case "service_ready": {
      const { service, url } = event;
      return [{ event: "service_ready", ...took(event), details: { service, url } }];
    }
    case "service_failed": {
      const { service, why, detail } = event;
      const error = plainLine(detail, 1000);
      return [{ event: "service_failed", ...took(event), error, details: { service, why } }];
    }
    case "service_stop": {
      const { service, survivors } = event;
      return [{ ...infoLine("service stopped", { service, survivors }), ...took(event) }];
    }
    case "ui_test_start": {
      const { framework } = event;
      return [{ event: "ui_test_start", details: { test: plainLine(event.test), framework } }];
    }
    case "ui_test_end":
      return [testEnd(event)];
    case "verify_phase_end": {
      const { phase, status } = event;
      return [{ ...infoLine(`verified ${phase}`, { phase }), status, ...took(event) }];
    }
    case "page_seen": {
      const { when, page, task } = event;
      return [{ ...infoLine(`page ${when} the task`, { page: plainLine(page) }), task_id: task }];
    }
  }
}

const took = ({ ms }: { ms: number }) => ({ duration_ms: Math.round(ms) });

function testEnd(event: Extract<VerifyFact, { type: "ui_test_end" }>): Line {
  const { test, framework, status, detail } = event;
  const details = { test: plainLine(test), framework };
  if (status === "skipped") return { ...infoLine("test skipped", details), ...took(event) };
  return status === "passed"
    ? { event: "ui_test_pass", ...took(event), details }
    : { event: "ui_test_fail", ...took(event), error: plainLine(detail, 1000), details };
}
