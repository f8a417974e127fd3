import { execFileSync } from "node:child_process";

function find(): string | undefined {
  try {
    return execFileSync("sh", ["-c", "command -v google-chrome || command -v chromium"])
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

/** The browser of this machine; tests that need one are skipped without it. */
export const chromium = find() || undefined;
if (!chromium) console.log("skipped: tests with a browser; this machine has no Chromium");
