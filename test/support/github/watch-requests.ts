import type { GitHub } from "../../../src/github/api/create-github.ts";

/** A request of a client; `url` is its route, with the parameters in braces. */
type Asked = { method: string; url: string; query?: unknown };
type Around = <Answer>(asked: Asked, send: () => Promise<Answer>) => Promise<Answer>;

const purpose = { act: "watch", permission: "none", reason: "git" } as const;

/** Puts itself around every request of a client. */
export function watchRequests(github: GitHub, around: Around): void {
  github.ask(purpose, async ({ hook }) =>
    hook.wrap("request", (send, options) => around(options, async () => send(options))),
  );
}
