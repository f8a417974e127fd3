import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { StepContext } from "../step.ts";
import { removeCheckoutCredentials } from "./checkout-credentials.ts";

/** Before code that an agent may have written runs in a checkout: no token of the job stays in it, and the log says so. */
export async function removeCheckoutToken(
  { system, print }: Pick<StepContext, "system" | "print">,
  directory: string,
): Promise<void> {
  for (const place of await removeCheckoutCredentials(system, directory)) {
    const text = `The token actions/checkout had left in ${place} was removed: agents could have read it. Set persist-credentials: false on the checkout.`;
    print.command(workflowCommand("warning", text, { title: "ralph" }));
  }
}
