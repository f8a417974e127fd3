import * as z from "zod";

/** In which order a task's tests and its work are written. */
export const TestOrder = z.enum(["tests_first", "tests_last"]);
