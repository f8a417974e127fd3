import * as z from "zod";

/** A repository in which the App is installed; `repository` is `owner/name`. */
export const Place = z.object({ installation: z.int(), repository: z.string() });
export type Place = z.infer<typeof Place>;
