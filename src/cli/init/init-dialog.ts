import { RalphError } from "../../error.ts";
import type { Prompter } from "../../platform/prompter.ts";
import { type Template, templates } from "../../scaffold/detect/detect-project.ts";

type Asking = { prompter: Prompter; signal: AbortSignal };

/** The two questions of `ralph init`; what is not `open` is not asked. Ctrl-C: nothing is written. */
export async function askChoices(
  asking: Asking,
  open: { template: boolean; workflow: boolean },
  detected: Template,
): Promise<{ template: Template; workflow: boolean }> {
  try {
    return {
      template: open.template ? await askTemplate(asking, detected) : detected,
      workflow: open.workflow && (await askWorkflow(asking)),
    };
  } catch (error) {
    if (!asking.signal.aborted) throw error;
    throw new RalphError("cancelled", {
      message: "Cancelled; nothing was written.",
      remedy: "Run `ralph init` again when you are ready.",
    });
  }
}

async function askTemplate({ prompter, signal }: Asking, detected: Template): Promise<Template> {
  for (;;) {
    const choices = templates.map((name) => (name === detected ? `[${name}]` : name)).join(", ");
    const answer = await prompter.question(`Template: ${choices}? `, signal);
    const chosen = templates.find((name) => name.startsWith(answer.toLowerCase()));
    if (answer === "") return detected;
    if (chosen) return chosen;
  }
}

async function askWorkflow({ prompter, signal }: Asking): Promise<boolean> {
  const answer = await prompter.question(
    "Write a workflow that runs ralph on GitHub every night? [Y/n] ",
    signal,
  );
  return !/^n/i.test(answer);
}
