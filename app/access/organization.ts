import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessExpected } from "../../src/github/api/expected-refusals.ts";
import type { Clock } from "../../src/platform/system.ts";
import { Organization } from "../../src/schema/config/organization.ts";
import { organizationPath, parseOrganization } from "../../src/sources/config-file.ts";
import { createCache } from "./cache.ts";
import { readDefaultFile } from "./default-file.ts";
import { isOutOfReach } from "./is-out-of-reach.ts";
import { RepositoryMovedError } from "./noticing-moves.ts";
import type { Place } from "./place.ts";

/** An owner's `.github` repository, in which the App is installed, and the settings in its file. */
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
  const known = createCache<string, OwnerSettings | undefined>({ clock, keptMs, most: maxOwners });
  const read = async (owner: string): Promise<OwnerSettings | undefined> => {
    const place = await findSettings(owner);
    if (!place) return undefined;
    const settings = await unlessExpected(isGone, readSettings(await github(place)));
    return settings && { place, settings };
  };
  return ({ repository }: Pick<Place, "repository">): Promise<OwnerSettings | undefined> => {
    const owner = (repository.split("/", 1)[0] ?? "").toLowerCase();
    return known(owner, () => read(owner));
  };
}

/** A `.github` repository that was removed or renamed does not count. */
const isGone = (error: unknown) => error instanceof RepositoryMovedError || isOutOfReach(error);

/** Without the file nothing is set, but the repository can be paused. */
async function readSettings(github: GitHub): Promise<Organization> {
  const bytes = await readDefaultFile(github, organizationPath);
  if (!bytes) return nothingSet;
  return parseOrganization(bytes, `${github.repository}: ${organizationPath}`);
}

const nothingSet = Organization.parse({ version: "1" });
