/** Where this program lives on GitHub, as workflows and editors name it. */
const home = "org/ralph-action";
const version = "v1";

export const actionReference = `${home}@${version}`;

/** One of our reusable workflows, for other repositories to call. */
export const workflowReference = (name: "autopilot") =>
  `${home}/.github/workflows/${name}.yml@${version}`;

/** Address of a printed schema, for editors. */
export const schemaAddress = (name: "config" | "prd") =>
  `https://raw.githubusercontent.com/${home}/${version}/schemas/${name}.schema.json`;
