import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";

/**
 * Why GitHub will never start the workflow as things are, for people; undefined: another attempt may succeed. Pure.
 */
export function dispatchRefusalReason(error: unknown, workflow: string): string | undefined {
  const path = `.github/workflows/${workflow}`;
  switch (isRateLimited(error) ? undefined : httpStatusOf(error)) {
    case 404:
      return `Nothing was started: the default branch has no \`${path}\`, or it is switched off. The pull request of \`ralph/setup\` has one, or shows it.`;
    case 422:
      return `Nothing was started: \`${path}\` does not take what ralph's App hands over. It must be the one of the pull request of \`ralph/setup\`; the workflow of \`ralph init\` is another one, and an older one lacks the input \`orders\`, by which comments steer a run.`;
    case 403:
      return "Nothing was started: the App may not start workflows here. Give its installation the permission Actions: write.";
    default:
      return undefined;
  }
}
