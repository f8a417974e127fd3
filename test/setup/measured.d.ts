import "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What a test has measured, for the report of `npm run torture`. */
    figure?: string;
    /** What it and the programs it waited for have cost. */
    processorSeconds?: number;
  }
}
