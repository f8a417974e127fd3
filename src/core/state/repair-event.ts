import * as z from "zod";
import { changedFiles, tree } from "./measurement.ts";
import { endOfCall, startOfCall } from "./roles.ts";
import { verifyPhases } from "./verify-event.ts";

const phase = z.enum(verifyPhases);
/** `iteration`: the number of the repair of this phase, from 1. */
const about = { phase, iteration: z.int() };

export const fixOutcomes = ["kept", "unchanged", "broke"] as const;

/** Facts about repairs of a program that fails its verification, in the order in which they come. */
export const repairFacts = [
  z.object({
    type: z.literal("fix_start"),
    ...about,
    limit: z.int(),
    /** The tree that is repaired, and what fails on it. */
    tree,
    failure: z.string(),
  }),
  z.object({
    type: z.literal("fix_call_start"),
    ...about,
    ...startOfCall,
  }),
  z.object({
    type: z.literal("fix_call_end"),
    ...about,
    ...endOfCall,
  }),
  /** `broke`: it was taken back. `parent`: the commit it is committed on; absent where repairs stay in the work tree. */
  z.object({
    type: z.literal("fix_end"),
    ...about,
    tree,
    outcome: z.enum(fixOutcomes),
    detail: z.string(),
    files: changedFiles,
    parent: z.string().optional(),
  }),
  z.object({ type: z.literal("fix_committed"), commit: z.string(), tree }),
] as const;
export type RepairFact = z.infer<(typeof repairFacts)[number]>;

const repairTypes: ReadonlySet<string> = new Set([
  ...repairFacts.map(({ shape }) => shape.type.value),
  "fix_checked",
]);

/** Whether an event is about a repair; `fix_checked` holds the facts of gates and criteria. */
export const isRepairFact = <Event extends { type: string }>(
  event: Event,
): event is Extract<Event, { type: RepairFact["type"] | "fix_checked" }> =>
  repairTypes.has(event.type);
