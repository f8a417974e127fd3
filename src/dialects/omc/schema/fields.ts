import * as z from "zod";

export const count = z.int().min(0);

/** Any parsable time. */
export const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "must be a time such as 2025-01-22T10:30:00Z");
