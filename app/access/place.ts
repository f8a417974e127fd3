import * as z from "zod";

/**
 * A repository in which the App is installed. GitHub's `id` identifies it for ever; `repository` (`owner/name`) is only its
 * address, which may change and pass to another repository.
 */
export const Place = z.object({ installation: z.int(), id: z.int(), repository: z.string() });
export type Place = z.infer<typeof Place>;
