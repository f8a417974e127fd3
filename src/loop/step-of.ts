import type { Step } from "../run/step.ts";

export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;
