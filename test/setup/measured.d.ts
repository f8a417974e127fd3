import "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What a test has measured, for the report of `npm run torture`. */
    figure?: string;
  }
}
