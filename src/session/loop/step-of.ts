import type { Step } from "../../core/decide/step.ts";

export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;
