import * as z from "zod";
import { serviceEnvs } from "../../schema/config/services.ts";
import { EvidenceRef, PictureRef, tree } from "./measurement.ts";

/** The parts of runtime verification, in their order. */
export const verifyPhases = ["gates", "services", "browser", "robot"] as const;
export type VerifyPhase = (typeof verifyPhases)[number];

export const serviceFailures = [
  "port",
  "build",
  "exit",
  "timeout",
  "wrong_port",
  "stranger",
  "crash",
] as const;

export const uiFrameworks = ["browser", "robot"] as const;
export const uiTestStatuses = ["passed", "failed", "skipped"] as const;

const phase = z.enum(verifyPhases);
/** Below the folder that a program wrote into. */
const writtenName = z
  .string()
  .regex(/^(?:browser\/screenshot\/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,120}$/);

/** Facts about running services and user interface tests (specs 004 2.3, 4.6). */
export const verifyFacts = [
  /** Everything is looked at again: what was seen before no longer counts. */
  z.object({ type: z.literal("verify_start"), tree }),
  z.object({
    type: z.literal("service_start"),
    service: z.string(),
    port: z.int(),
    /** Of the outermost process: in the sandbox that of bubblewrap. */
    pid: z.int(),
    command: z.string(),
    env: z.enum(serviceEnvs),
  }),
  z.object({
    type: z.literal("service_ready"),
    service: z.string(),
    url: z.string(),
    ms: z.number(),
  }),
  z.object({
    type: z.literal("service_failed"),
    service: z.string(),
    why: z.enum(serviceFailures),
    /** For people and the next prompt, with the last lines of its output. */
    detail: z.string(),
    ms: z.number(),
  }),
  z.object({
    type: z.literal("service_stop"),
    service: z.string(),
    ms: z.number(),
    /** Its processes that could not be ended, such as one in an uninterruptible call. */
    survivors: z.int(),
    output: EvidenceRef,
  }),
  z.object({ type: z.literal("ui_test_start"), test: z.string(), framework: z.enum(uiFrameworks) }),
  z.object({
    type: z.literal("ui_test_end"),
    test: z.string(),
    framework: z.enum(uiFrameworks),
    status: z.enum(uiTestStatuses),
    detail: z.string(),
    ms: z.number(),
    picture: PictureRef.optional(),
    /** The accessibility tree of the page, as text. */
    snapshot: EvidenceRef.optional(),
    console: EvidenceRef.optional(),
  }),
  z.object({
    type: z.literal("verify_phase_end"),
    phase,
    tree,
    status: z.enum(["passed", "failed"]),
    detail: z.string(),
    ms: z.number(),
    /** The files that Robot Framework or the script wrote, by name. */
    files: z.record(writtenName, EvidenceRef).optional(),
    output: EvidenceRef.optional(),
  }),
  /** A page of the front end, on the tree a task began on or on its work. Without a picture: it could not be shown. */
  z.object({
    type: z.literal("page_seen"),
    task: z.string(),
    when: z.enum(["before", "after"]),
    tree,
    page: z.string(),
    picture: PictureRef.optional(),
  }),
] as const;
export type VerifyFact = z.infer<(typeof verifyFacts)[number]>;

const verifyTypes: ReadonlySet<string> = new Set(verifyFacts.map(({ shape }) => shape.type.value));

/** Whether an event is one of these facts. */
export const isVerifyFact = <Event extends { type: string }>(
  event: Event,
): event is Extract<Event, { type: VerifyFact["type"] }> => verifyTypes.has(event.type);
