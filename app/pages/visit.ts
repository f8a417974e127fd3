import type { System } from "../../src/platform/system.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import type { RecordEvent } from "../events/recorder.ts";
import { judgeActor } from "../runs/judge-actor.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/notes.ts";
import type { PageAnswer, PageRequest } from "../webhooks/route.ts";
import { notFoundPage, redirect, renderNotice } from "./frame/frame.ts";
import type { ReadForm } from "./frame/read-form.ts";
import type { Readable } from "./list-readable.ts";
import type { FindLiveJobs } from "./live-jobs.ts";
import { isFromPage, type LoginSession } from "./login/login-sessions.ts";
import type { GitHubLinks } from "./run-labels.ts";

/** The requirements of the pages for signed-in people. */
export interface PageParts
  extends Pick<Store, "notes" | "queue">,
    Pick<System, "clock">,
    Pick<Settings, "bots"> {
  access: Access;
  record: RecordEvent;
  links: GitHubLinks;
  liveJobs: FindLiveJobs;
  readForm: ReadForm;
}

/** A request by a signed-in person, who only sees these repositories. */
export interface Visit {
  session: LoginSession;
  /** By their ids. */
  repositories: ReadonlyMap<number, Readable>;
  /** They can read more repositories than GitHub was asked for. */
  isCut: boolean;
  asked: PageRequest;
}

/** An action behind a form: on one thing of a repository, by a person who may start work there. */
export interface FormAct<Found extends { place: Place }> {
  /** Undefined for a thing that is gone, or that the person cannot see. */
  find: (parts: PageParts, visit: Visit, form: URLSearchParams) => Promise<Found | undefined>;
  /** Answers the path of the page to show. */
  act: (parts: PageParts, found: Found, actor: Visit["session"]["person"]) => Promise<string>;
}

/** Acts on a form of the session's own pages, after the same check as for comments and labels, made now (T29). */
export const actOnForm =
  <Found extends { place: Place }>({ find, act }: FormAct<Found>) =>
  async (parts: PageParts, visit: Visit): Promise<PageAnswer> => {
    const { session, asked } = visit;
    const form = await parts.readForm(asked.request);
    const refuse = (message: string) =>
      renderNotice({ status: 403, title: "Nothing was changed", message, session });
    if (!isFromPage(session, form.get("token"))) {
      return refuse("This form did not come from your session. Reload the page and try again.");
    }
    const found = await find(parts, visit, form);
    if (!found) return notFoundPage(session);
    const actor = session.person;
    const verdict = await judgeActor(parts, found.place, { actor, trigger: "dashboard" });
    if (verdict.kind === "denied") return refuse(`Nothing was changed: ${verdict.because}.`);
    return redirect(await act(parts, found, actor));
  };
