import type { Probot } from "probot";
import { createGitHub, type GitHub } from "../../src/github/api/create-github.ts";
import { refuseRedirects } from "../../src/github/api/redirects.ts";
import { createWritePace } from "../../src/github/api/write-pace.ts";
import type { Clock } from "../../src/platform/system.ts";
import { type Config, configFile } from "../../src/schema/config/config.ts";
import type { ConfigDefaults } from "../../src/schema/config/organization.ts";
import { parseConfig } from "../../src/sources/config-file.ts";
import { createCache } from "./cache.ts";
import { readDefaultFile } from "./default-file.ts";
import {
  type IdentifiedRepository,
  identifyRepository,
  type ListedRepository,
  locateById,
} from "./find-repository.ts";
import { noticingMoves } from "./noticing-moves.ts";
import { createOrganizations, type OrganizationParts, type OwnerSettings } from "./organization.ts";
import type { Place } from "./place.ts";
import { createTokens } from "./tokens.ts";

/** How the App reaches GitHub: as itself, and as an installation in one repository. */
export interface Access {
  /** The App's own account, the author of everything it writes. */
  self: (place: Place) => Promise<Account>;
  /** A client whose token is for this repository alone, by its id, and valid for at least five more minutes. */
  github: (place: Place) => Promise<GitHub>;
  /** A new token for publishing in this repository alone. */
  freshToken: (place: Place) => Promise<string>;
  /** The repository's name now, by its id; undefined if this installation does not reach it. */
  locate: (place: Place) => Promise<ListedRepository | undefined>;
  /** The repository that has a name now, for records that have no id; follows a rename. */
  identify: (place: Omit<Place, "id">) => Promise<IdentifiedRepository>;
  /** Requests left in the current hour, by installation, as of the last answer. */
  limits: ReadonlyMap<number, number>;
  /** One request as the App itself. Writes are sent once and without a pause; callers that write a lot must pause. */
  asApp: (route: string, parameters?: Parameters) => Promise<AppAnswer>;
  /** The settings an owner has made for all of their repositories. */
  organization: (place: Pick<Place, "repository">) => Promise<OwnerSettings | undefined>;
  /** The configuration on the default branch, with the owner's defaults; undefined without `.ralph/ralph.yml`, a RalphError (exit 1) if invalid. */
  config: (place: Place) => Promise<Config | undefined>;
}

type Parameters = Readonly<Record<string, unknown>>;
type AppAnswer = { data: unknown; headers: Readonly<Record<string, string | number | undefined>> };

/** Events come in bursts, so a change of the configuration may take effect this much later. */
const configMs = 30_000;
const maxConfigs = 10_000;

type Account = { id: number; login: string };

export interface AccessParts extends Pick<OrganizationParts, "findSettings"> {
  probot: Probot;
  apiUrl: string;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
}

/** Sends no request before the first use: the App also starts, and stores deliveries, while GitHub is unreachable. */
export async function openAccess({
  probot,
  apiUrl,
  clock,
  findSettings,
}: AccessParts): Promise<Access> {
  const octokit = await probot.auth();
  refuseRedirects(octokit);
  const tokens = createTokens(octokit, clock);
  const pace = createWritePace(clock);
  const limits = new Map<number, number>();
  const client = (token: string, { repository, installation }: Omit<Place, "id">) => {
    const onLimit = (remaining: number) => void limits.set(installation, remaining);
    return createGitHub({ apiUrl, token, repository, pace, onLimit });
  };
  const locate = (place: Place) => locateById(tokens, client, place);
  const github = async (place: Place) =>
    noticingMoves(client(await tokens.read(place), place), { place, locate });
  const organization = createOrganizations({ github, findSettings, clock });
  const readWhole = async (place: Place) => {
    const { settings } = (await organization(place)) ?? {};
    return readConfig(await github(place), settings?.defaults);
  };
  const readSelf = async (place: Place) => {
    const { data: app } = await octokit.request("GET /app");
    return readAccount(await github(place), `${app?.slug}[bot]`);
  };
  const own = createCache<"self", Account>({ clock, keptMs: Number.POSITIVE_INFINITY, most: 1 });
  const configs = createCache<number, Config | undefined>({
    ...{ clock, keptMs: configMs, most: maxConfigs },
  });
  return {
    self: (place) => own("self", () => readSelf(place)),
    limits,
    organization,
    freshToken: (place) => tokens.create(place, "publish"),
    github,
    locate,
    identify: async (place) => {
      const wide = client(await tokens.readWide(place.installation), place);
      return identifyRepository(wide, place.installation);
    },
    asApp: (route, parameters) => {
      const { hook } = octokit.auth as unknown as { hook: unknown };
      // Sign the request without the library's queue for writes.
      const request = route.startsWith("GET ") ? {} : { hook };
      return octokit.request(route, { ...parameters, request });
    },
    config: (place) => configs(place.id, () => readWhole(place)),
  };
}

/** Only installations may read accounts, the App itself may not. */
async function readAccount(github: GitHub, username: string): Promise<Account> {
  const { data } = await github.ask(
    { act: `read the account ${username}`, permission: "metadata: read", reason: "config" },
    ({ rest }) => rest.users.getByUsername({ username }),
  );
  return data;
}

async function readConfig(
  github: GitHub,
  defaults: ConfigDefaults | undefined,
): Promise<Config | undefined> {
  const bytes = await readDefaultFile(github, configFile);
  return bytes && parseConfig(bytes, configFile, defaults).config;
}
