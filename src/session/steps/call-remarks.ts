import type { AgentRequest } from "../../agents/call/run-agent.ts";
import { lastTextLine } from "../../agents/drivers/outcome.ts";
import type { FactOf } from "../../core/state/event.ts";

type Call = FactOf<"agent_end">;
type Called = {
  request: Pick<AgentRequest, "program" | "allowedTools" | "readOnly">;
  /** The final message, redacted. */
  message: string;
};

/** What a call's outcome does not show: denied tools, and a final message without a claim. */
export function remarksOn(call: Call, called: Called): string[] {
  const who = `${call.task} ${call.role}: \`${called.request.program[0]}\``;
  const remarks = [denial(call, called), messageWithoutClaim(call, called)];
  return remarks.filter((remark) => remark !== undefined).map((remark) => `${who} ${remark}`);
}

/** A read-only role is always denied tools that write. */
function denial({ role, denied = [] }: Call, { request }: Called): string | undefined {
  if (denied.length === 0 || request.readOnly) return undefined;
  const tools = denied.join(", ");
  return request.allowedTools.length > 0
    ? `was denied ${tools}; add what it needs to \`agents.${role}.allowed_tools\`.`
    : `was denied ${tools} by its own settings or hooks.`;
}

/** The message may be a question, which no one answers. */
function messageWithoutClaim({ outcome, signal }: Call, { message }: Called): string | undefined {
  const words = lastTextLine(message);
  const isClaim = outcome.kind !== "answered" || signal.kind !== "missing";
  return isClaim || words === "" ? undefined : `claimed nothing; its last words: ${words}`;
}
