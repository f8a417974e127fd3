import * as z from "zod";
import type { Finding } from "../base/finding.ts";
import { Config } from "./config.ts";

const { shape } = Config;

/** An invalid section counts as absent, so a mistake in one section hides nothing in the others. */
const ifSound = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema, z.unknown().transform(() => undefined)]);

/** The input of configuration rules: every valid section, with defaults filled in. */
export const ConfigSketch = z.object({
  task_source: ifSound(shape.task_source),
  setup: ifSound(shape.setup),
  services: ifSound(shape.services),
  gates: ifSound(shape.gates),
  test_paths: ifSound(shape.test_paths),
  ui: ifSound(shape.ui),
  agents: ifSound(shape.agents),
  limits: ifSound(shape.limits),
  breaker: ifSound(shape.breaker),
  protect: ifSound(shape.protect),
  sandbox: ifSound(shape.sandbox),
  autopilot: ifSound(shape.autopilot),
  git: ifSound(shape.git),
  pr: ifSound(shape.pr),
  triggers: ifSound(shape.triggers),
});
export type ConfigSketch = z.output<typeof ConfigSketch>;

/** A rule about several keys. The schema reports invalid sections. */
export type ConfigRule = (config: ConfigSketch) => Finding[];
