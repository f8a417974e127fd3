import { RalphError } from "../../src/error.ts";

/** Version 1 kept everything under the names of repositories, version 2 keeps it under their ids. */
export const schemaVersion = 2;

/** The versions this program can migrate a store to. */
export type SchemaVersion = 1 | 2;

/** The tables and columns that differ between the engines. */
export interface SchemaNames {
  notes: string;
  jobs: string;
  group: string;
  /** The place in a job's data. */
  place: string;
  isLive: string;
  /** Sets the address in a run's data to a column. */
  setAddress: (column: string) => string;
}

/** Refuses a store of a later version: its content would be misread. */
export function requireKnownVersion(found: number): void {
  if (found <= schemaVersion) return;
  throw new RalphError("config", {
    message: `The database has version ${found} of the App's schema, and this program knows version ${schemaVersion} at most.`,
    remedy: `Start the newer version of the App, or take the database back with its \`npm run app -- migrate ${schemaVersion}\`.`,
  });
}

/** The statements from one version to the next or the one before; none between equal versions. Pure. */
export function migrationSql(names: SchemaNames, from: number, to: SchemaVersion): string[] {
  if (from === to) return [];
  return to === 2 ? toIds(names) : toNames(names);
}

/**
 * Notes kept under ids before are kept under them again; notes without an id stay under their names, until GitHub says
 * which repository has the name.
 */
function toIds({ notes, jobs, group, place, isLive }: SchemaNames): string[] {
  return [
    `create temporary table address as
       select cast(data -> 'place' ->> 'id' as text) as key, id as name from ${notes}
       where kind = 'repository' and id like '%/%' and data -> 'place' ->> 'id' is not null`,
    ...renameNotes(notes, { from: "name", to: "key" }),
    `update ${jobs} set ${group} = 'work:' || cast(${place} ->> 'id' as text)
       where ${group} like 'work:%/%' and ${place} ->> 'id' is not null and ${isLive}`,
    "drop table address",
  ];
}

/** For the version before: the newest repository of a name gets everything kept under it. */
function toNames({ notes, jobs, group, isLive, setAddress }: SchemaNames): string[] {
  const name = (of: string) => `${of}.data -> 'place' ->> 'repository'`;
  return [
    `create temporary table address as
       select id as key, ${name("own")} as name from ${notes} as own
       where kind = 'repository' and id not like '%/%' and not exists (
         select 1 from ${notes} as other where other.kind = 'repository' and other.id <> own.id
           and ${name("other")} = ${name("own")} and other.at > own.at)`,
    `update ${notes} set data = ${setAddress("address.name")} from address
       where kind = 'run' and repository = address.key`,
    ...renameNotes(notes, { from: "key", to: "name" }),
    `update ${jobs} set ${group} = 'work:' || address.name from address
       where ${group} = 'work:' || address.key and ${isLive}`,
    "drop table address",
  ];
}

const renameNotes = (notes: string, { from, to }: { from: string; to: string }): string[] => [
  `update ${notes} set id = replace(id, address.${from} || '#', address.${to} || '#') from address
     where kind = 'orders' and repository = address.${from}`,
  `update ${notes} set id = address.${to} from address
     where kind = 'repository' and id = address.${from}`,
  `update ${notes} set repository = address.${to} from address where repository = address.${from}`,
];
