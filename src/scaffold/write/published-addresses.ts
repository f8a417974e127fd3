/** Where this program lives on GitHub, as workflows and editors name it. */
const repository = "org/ralph-action";
const version = "v1";

export const actionReference = `${repository}@${version}`;

/** One of our reusable workflows, for other repositories to call. */
export const workflowReference = (name: "autopilot") =>
  `${repository}/.github/workflows/${name}.yml@${version}`;

/** Address of a printed schema, for editors. */
export const schemaAddress = (name: "config" | "prd") =>
  `https://raw.githubusercontent.com/${repository}/${version}/schemas/${name}.schema.json`;
