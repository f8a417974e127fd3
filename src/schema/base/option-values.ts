import * as z from "zod";

/** An amount in US dollars from an option, an input or a variable; parsed to a number. */
export const UsdAmount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be an amount in US dollars, such as 2.50")
  .transform(Number);

/** A positive whole number from an option, an input or a variable; parsed to a number. */
export const Count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1 on")
  .transform(Number);
