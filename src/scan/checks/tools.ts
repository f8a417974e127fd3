import { type GateDeps, runGate } from "../../gates/gates.ts";
import { gateDepsAt } from "../../session/loop/gate-deps-at.ts";
import { type Check, type CheckResult, failure, pass, warningResult } from "../check.ts";
import { gatePlaceOf } from "../run-gates-in-checkout.ts";

type Step = { name: string; cmd: string; when?: string | undefined; isRequired: boolean };

/** Checks that the programs of setup steps and gates exist in the environment of these steps. */
export const tools: Check = {
  name: "tools",
  needs: ["config", "repo", "sandbox"],
  run: async (context) => {
    const { setup, gates } = (await context.config()).config;
    const deps = gateDepsAt(await gatePlaceOf(context));
    // A setup step may install the program of a gate.
    const isAlone = setup.length === 0;
    const steps: Step[] = [
      ...setup.map((step) => ({ ...step, isRequired: true })),
      ...[...gates.build, ...gates.full].map((gate) => ({
        ...gate,
        isRequired: gate.fatal && isAlone,
      })),
    ];
    const looked = await Promise.all(steps.map((step) => findPrograms(deps, step)));
    return judge(looked.flat());
  },
};

type StepProgram = { program: string; isThere: boolean; step: Step };

/** Uses the step's own shell, sandbox and condition. A skipped step needs no program. */
async function findPrograms(deps: GateDeps, step: Step): Promise<StepProgram[]> {
  const programs = programsOf(step.cmd);
  const lines = programs.map(
    (name) => `command -v -- ${name} >/dev/null || { echo ${name}; m=1; }`,
  );
  const cmd = [...lines, `exit "\${m:-0}"`].join("\n");
  const { status, output } = await runGate(deps, { cmd, when: step.when, timeout_seconds: 10 });
  if (status === "skipped") return [];
  const missing = output.split("\n");
  return programs.map((program) => ({ program, isThere: !missing.includes(program), step }));
}

function judge(looked: readonly StepProgram[]): CheckResult {
  const missing = looked.filter(({ isThere }) => !isThere);
  const there = new Set(looked.map(({ program }) => program));
  if (missing.length === 0) return pass([...there].join(", ") || "no program to check");
  const lines = missing.map(({ program, step }) => `  ${program}, for ${step.name}`);
  const message = ["missing:", ...new Set(lines)].join("\n");
  const names = [...new Set(missing.map(({ program }) => program))];
  const more = {
    remedy: "Install these programs, or fix the commands in the configuration.",
    fixes: names.map((install) => ({ install })),
  };
  const isRequired = missing.some(({ step }) => step.isRequired);
  return isRequired ? failure(message, more) : warningResult(message, more);
}

const first = /^\s*(?:[A-Za-z_]\w*=[^\s'"`$]*\s+)*([A-Za-z0-9_][\w.+-]*)(?=\s|$)/;
/** Text in which a separator may be quoted. */
const isQuoted = /['"`\\$(){}#]|<</;

/** The programs a command starts: the first word of each part, or of the first part if it has quotes. Without paths. */
export function programsOf(command: string): string[] {
  const parts = isQuoted.test(command) ? [command] : command.split(/&&|\|\||[;|&\n]/);
  return [...new Set(parts.flatMap((part) => first.exec(part)?.[1] ?? []))];
}
