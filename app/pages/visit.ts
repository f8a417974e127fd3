import type { System } from "../../src/platform/system.ts";
import type { Access } from "../access/access.ts";
import type { RecordEvent } from "../events/recorder.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import type { PageRequest } from "../webhooks/route.ts";
import type { ReadForm } from "./frame/read-form.ts";
import type { GitHubLinks } from "./github-links.ts";
import type { Readable } from "./list-readable.ts";
import type { FindLiveJobs } from "./live-jobs.ts";
import type { LoginSession } from "./login/login-sessions.ts";

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
