import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Clock } from "../../src/platform/system.ts";
import { Organization } from "../../src/schema/config/organization.ts";
import { organizationPath, parseOrganization } from "../../src/sources/config-file.ts";
import { isOutOfReach } from "./is-out-of-reach.ts";
import { RepositoryMovedError } from "./noticing-moves.ts";
import type { Place } from "./place.ts";

/** An owner's `.github` repository, in which the App is installed, and what its file says. */
export interface OwnerSettings {
  place: Place;
  settings: Organization;
}

export interface OrganizationParts {
  github: (place: Place) => Promise<GitHub>;
  /** The known `.github` repository of the owner of a repository. */
  findSettings: (owner: string) => Promise<Place | undefined>;
  clock: Pick<Clock, "now">;
}

/** A change of the file may take effect this much later. */
const keptMs = 30_000;
const maxOwners = 10_000;

/** Reads the settings of owners; undefined for one without a `.github` repository in which the App is installed. */
export function createOrganizations({ github, findSettings, clock }: OrganizationParts) {
  const known = new Map<string, { until: number; found: Promise<OwnerSettings | undefined> }>();
  const read = async (owner: string): Promise<OwnerSettings | undefined> => {
    const place = await findSettings(owner);
    if (!place) return undefined;
    const settings = await unlessGone(readSettings(await github(place)));
    return settings && { place, settings };
  };
  return ({ repository }: Pick<Place, "repository">): Promise<OwnerSettings | undefined> => {
    const owner = (repository.split("/", 1)[0] ?? "").toLowerCase();
    const held = known.get(owner);
    if (held && held.until > clock.now()) return held.found;
    if (known.size >= maxOwners) known.clear();
    const found = read(owner);
    known.set(owner, { until: clock.now() + keptMs, found });
    // Failures are not cached.
    found.catch(() => known.delete(owner));
    return found;
  };
}

/** A `.github` repository that was removed or renamed does not count. */
async function unlessGone(settings: Promise<Organization>): Promise<Organization | undefined> {
  try {
    return await settings;
  } catch (error) {
    if (error instanceof RepositoryMovedError || isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** Without the file nothing is set, but the repository can be paused. */
async function readSettings(github: GitHub): Promise<Organization> {
  const purpose = {
    ...{ act: `read ${organizationPath}`, permission: "contents: read" },
    reason: "config",
  } as const;
  try {
    const { data } = await github.ask(purpose, ({ rest }) =>
      rest.repos.getContent({ ...github.repo, path: organizationPath }),
    );
    const isFile = !Array.isArray(data) && data.type === "file" && data.encoding === "base64";
    const bytes = isFile ? Buffer.from(data.content, "base64") : Buffer.from("null");
    return parseOrganization(bytes, `${github.repository}: ${organizationPath}`);
  } catch (error) {
    if (error instanceof RalphError && httpStatusOf(error) === 404) return nothingSet;
    throw error;
  }
}

const nothingSet = Organization.parse({ version: "1" });
