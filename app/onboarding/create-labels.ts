import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessExpected } from "../../src/github/api/expected-refusals.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { Triggers } from "../../src/schema/config/publishing.ts";
import { readValidConfig } from "../repositories/config.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import type { Site } from "../runs/run-parts.ts";

/** Creates the labels that start ralph, so that there is something to pick; existing ones stay as they are. */
export async function createLabels({ access, github, place }: Site): Promise<void> {
  const triggers = (await readValidConfig(access, place))?.triggers ?? Triggers.parse({});
  await createLabel(github, { name: triggers.label, ...run });
  await createLabel(github, { name: triggers.autopilot_label, ...autopilot });
}

type Label = { name: string; color: string; description: string };

const run = { color: "1f6feb", description: "ralph works on this issue" };
const autopilot = {
  color: "8250df",
  description: "ralph chooses between this issue and the new reports",
};

async function createLabel(github: GitHub, label: Label): Promise<void> {
  const asked = github.ask(
    { act: `create the label ${label.name}`, permission: "issues: write", reason: "config" },
    ({ rest }) => rest.issues.createLabel({ ...github.repo, ...label }),
  );
  await unlessExpected(existsOrMayNot, asked);
}

/** The label exists, or issues are disabled. */
const existsOrMayNot = (error: unknown) =>
  httpStatusOf(error) === 422 || isRepositoryUnreachable(error);
