import type { SessionContext } from "../../session/loop/session-context.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { StepContext } from "../step.ts";

/** What holds only with the sandbox (design 5). Told once, before an agent runs; whoever switched it off knows why. */
export function warnWithoutSandbox(
  { config, journal }: Pick<SessionContext, "config" | "journal">,
  { inputs, print }: Pick<StepContext, "inputs" | "print">,
): void {
  if (journal.state.session.sandbox !== "off") return;
  const text = `Agents are not shut in here. Not promised then: that they cannot read other secrets of this job, that nothing they start outlives its call${pushes[inputs.mode]}.`;
  if (config.sandbox.mode === "off") {
    print.line(text);
    return;
  }
  const remedy = "Use ubuntu-24.04 with bubblewrap, or ralph.yml as a reusable workflow.";
  print.command(workflowCommand("warning", `${text} ${remedy}`, { title: "ralph: no sandbox" }));
}

const pushes = {
  all: ", and that they never get hold of the token this job pushes with",
  run: "",
  publish: "",
};
