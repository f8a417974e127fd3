import * as z from "zod";

/** The lessons of agents about a repository (decision 0014). */
export const Memory = z.strictObject({
  learnings: z
    .enum(["propose", "write", "off"])
    .default("propose")
    .describe(
      "propose: the pull request offers them; write: also into AGENTS.md, for lists that a person wrote; off: neither",
    ),
});
export type Memory = z.output<typeof Memory>;
