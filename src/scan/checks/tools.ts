import { type GateDeps, runGate } from "../../gates/gates.ts";
import { gateDepsAt } from "../../session/loop/gate-deps.ts";
import { type Check, type CheckResult, failure, pass, warningResult } from "../check.ts";
import { gatePlaceOf } from "../run-gates-in-checkout.ts";

type Step = { name: string; cmd: string; when?: string | undefined; isRequired: boolean };

/** The programs that setup steps and gates begin with are there, as those steps would see them. */
export const tools: Check = {
  name: "tools",
  needs: ["config", "repo", "sandbox"],
  run: async (context) => {
    const { setup, gates } = (await context.config()).config;
    const deps = gateDepsAt(await gatePlaceOf(context));
    // What a gate lacks may be what a setup step installs.
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

/** Asked through the step's own shell, sandbox and condition; one that would be skipped needs nothing. */
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
  if (missing.length === 0) return pass([...there].join(", ") || "nothing to look for");
  const words = missing.map(({ program, step }) => `  ${program}, for ${step.name}`);
  const message = ["not there:", ...new Set(words)].join("\n");
  const names = [...new Set(missing.map(({ program }) => program))];
  const more = {
    remedy: "Install these, or correct the commands in the configuration.",
    fixes: names.map((install) => ({ install })),
  };
  const isRequired = missing.some(({ step }) => step.isRequired);
  return isRequired ? failure(message, more) : warningResult(message, more);
}

const first = /^\s*(?:[A-Za-z_]\w*=[^\s'"`$]*\s+)*([A-Za-z0-9_][\w.+-]*)(?=\s|$)/;
/** Text in which a separator may be something else. */
const isQuoted = /['"`\\$(){}#]|<</;

/**
 * The programs a shell command begins with, as far as they can be told without being a shell: in plain text the
 * first word of every part, else that of the first. Paths are left out: a step before may make them.
 */
export function programsOf(command: string): string[] {
  const parts = isQuoted.test(command) ? [command] : command.split(/&&|\|\||[;|&\n]/);
  return [...new Set(parts.flatMap((part) => first.exec(part)?.[1] ?? []))];
}
