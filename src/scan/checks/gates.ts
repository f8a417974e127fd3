import { isRed } from "../../gates/baseline.ts";
import { errorLine } from "../../gates/fingerprint.ts";
import { type GateResult, gateKeyOf } from "../../gates/gates.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { counted, renderDuration } from "../../text/figures.ts";
import { type Check, type CheckResult, failure, pass, skipped, warningResult } from "../check.ts";
import { type GateRun, runGatesInCheckout } from "../run-gates-in-checkout.ts";

/** Runs every gate on the current commit in a separate checkout and shows which are skipped or red. */
export const gates: Check = {
  name: "gates",
  needs: ["config", "repo", "sandbox"],
  notice: "runs setup steps and gates on the current commit, in a separate folder",
  run: async (context) => {
    const { build, full } = (await context.config()).config.gates;
    const all = [...new Map([...build, ...full].map((gate) => [gateKeyOf(gate), gate])).values()];
    if (all.length === 0) return noGate("There is no gate: any change would pass.");
    const runs = await runGatesInCheckout(context, all);
    if (context.signal.aborted) return skipped("cancelled");
    return judge(runs);
  },
};

function judge(runs: readonly GateRun[]): CheckResult {
  const message = [headline(runs), ...runs.map(describe)].join("\n");
  const red = runs.filter(({ result }) => isRed(result));
  const unstarted = red.filter(
    ({ result, isSetup }) => isSetup || result.status === "not_started" || lacksProgram(result),
  );
  const install = { remedy: "Install the missing program, or fix the command." };
  if (unstarted.some(({ step }) => isFatal(step))) return failure(message, install);
  if (red.some(endsRun)) return failure(message, { remedy: endsRunRemedy });
  if (red.some(({ step }) => isFatal(step))) return warningResult(message, { remedy: repair });
  if (unstarted.length > 0) return warningResult(message, install);
  const fatal = runs.filter(({ step, isSetup }) => !isSetup && isFatal(step));
  if (fatal.every(({ result }) => result.status === "skipped")) {
    return noGate([message, "No fatal gate runs: any change would pass."].join("\n"));
  }
  return pass(message);
}

/** make ends with 2, and reports only in its output that the shell could not start a program: 127. */
const lacksProgram = ({ output }: GateResult) =>
  /^make(?:\[\d+\])?: \*\*\* .* Error 127$/m.test(output);

/** Red without a failure that later output could be compared with, and without a `baseline` that permits it. */
const endsRun = ({ step, result }: GateRun) =>
  isFatal(step) &&
  !("baseline" in step && step.baseline) &&
  result.fingerprints.length === 0 &&
  !callsGit(result);

const endsRunRemedy =
  "Repair the gate: its output names no failure to compare, so a run would end before its first agent call (exit 4). Or set `baseline: repair` on it if the tasks are to make it green, or `baseline: allow` to accept it.";

const repair =
  "Fix these first: while a gate is red, only new failures count, where ralph can recognise them.";

const isFatal = (step: GateRun["step"]) => (step as Partial<Gate>).fatal !== false;

const noGate = (message: string) =>
  warningResult(message, {
    remedy: "Add a gate that fails when the work is wrong, such as the tests.",
  });

function headline(runs: readonly GateRun[]): string {
  const statuses = runs.filter(({ isSetup }) => !isSetup).map(({ result }) => result.status);
  const count = (status: GateResult["status"]) => statuses.filter((one) => one === status).length;
  const red = statuses.length - count("passed") - count("skipped");
  return `${counted(statuses.length, "gate")}: ${count("passed")} passed, ${count("skipped")} skipped, ${red} red`;
}

function describe({ step, result, isSetup }: GateRun): string {
  const { status, ms, detail } = result;
  const name = isSetup ? `setup ${step.name}` : step.name;
  if (status === "skipped") return `  ${name}: ${detail}`;
  const line = `  ${name}: ${status.replaceAll("_", " ")}, ${renderDuration(ms)}`;
  return isRed(result) ? `${line}: ${failureLine(detail)}${hint(result)}` : line;
}

/** The last line that names a failure, else the last one. */
function failureLine(detail: string): string {
  const lines = detail.trim().split("\n");
  const telling =
    lines.find((line) => /^make\S*: [^\s*]+: No such file or directory$/.test(line)) ??
    lines.findLast((line) => errorLine(line) !== undefined) ??
    lines.at(-1) ??
    "";
  return telling.trim().slice(0, 200);
}

const callsGit = ({ output }: GateResult) => output.includes("not a git repository");

/** Probably red only in this check: in a run the work tree has a `.git`. */
const hint = (result: GateResult) =>
  callsGit(result)
    ? "\n    It calls git, and this folder is not a repository; the work tree of a run is one."
    : "";
