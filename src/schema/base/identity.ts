import * as z from "zod";

/** UTC second and random hex digits: 20260125-143052-a7b3c9 (compatibility 1.1). */
export const SessionId = z
  .string()
  .regex(/^\d{8}-\d{6}-[a-f0-9]+$/, "must look like 20260125-143052-a7b3c9");

/** Proves that a signal was meant for this session (specs 004 8.3). Compared as a whole, never by its prefix. */
export const SessionToken = z
  .string()
  .regex(/^ralph-\d{8}-\d{6}-[a-f0-9]+$/, "must look like ralph-20260125-143052-a7b3c9f2d1e8");
