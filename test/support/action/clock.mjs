// Loaded into every Node program of an emulated job. Its clock is SHIFT_SECONDS ahead, and another six hours once
// OVERTIME_FILE exists. A step that only talks to GitHub does not wait for the seconds GitHub wants between two requests.
import { existsSync } from "node:fs";

const { now } = Date;
const { SHIFT_SECONDS = "0", OVERTIME_FILE = "" } = process.env;
const shiftMs = Number(SHIFT_SECONDS) * 1000;
const overtimeMs = () => (OVERTIME_FILE !== "" && existsSync(OVERTIME_FILE) ? 6 * 3_600_000 : 0);
if (shiftMs > 0) Date.now = () => now() + shiftMs + overtimeMs();

const talking = ["begin", "claim", "download", "publish", "release"];
const { setTimeout } = globalThis;
if (talking.includes(process.argv[2])) {
  globalThis.setTimeout = (done, ms = 0, ...rest) => setTimeout(done, ms / 100, ...rest);
}
