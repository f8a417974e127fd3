/** The public repository, for workflows and editors. */
const repository = "org/ralph-action";
const version = "v1";

export const actionReference = `${repository}@${version}`;

/** Reference to a reusable workflow. */
export const workflowReference = (name: "autopilot") =>
  `${repository}/.github/workflows/${name}.yml@${version}`;

/** URL of a published schema, for editors. */
export const schemaAddress = (name: "config" | "prd") =>
  `https://raw.githubusercontent.com/${repository}/${version}/schemas/${name}.schema.json`;
