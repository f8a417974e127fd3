import { afterEach } from "vitest";
import { takeRefused } from "../support/github/openapi/refused.ts";

// Whatever a test sends to the fake GitHub, and whatever that answers, is as GitHub describes it.
afterEach(() => {
  const refused = takeRefused();
  if (refused.length > 0) throw new Error(`GitHub's description refuses:\n${refused.join("\n")}`);
});
