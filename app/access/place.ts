import * as z from "zod";

/** `owner/name`, as GitHub sends it. */
export const RepositoryName = z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/);

/**
 * A repository in which the App is installed. GitHub's `id` always identifies it; `repository` (`owner/name`) is only its
 * address, which may change and pass to another repository.
 */
export const Place = z.object({ installation: z.int(), id: z.int(), repository: z.string() });
export type Place = z.infer<typeof Place>;
