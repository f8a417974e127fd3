import { PgBoss } from "pg-boss";
import { RalphError } from "../../src/error.ts";
import type { Clock } from "../../src/platform/system.ts";
import { queueSchema } from "./postgres-jobs.ts";

/** Connections per replica. */
const connections = 6;
/** How often a replica releases the jobs of dead workers. */
const superviseSeconds = 10;
/** Passed on to the driver; a server that is silent for this long counts as unreachable. */
const driver = { query_timeout: 30_000 };

/** A database that starts together with the App may need this long. */
export const connectTimeoutMs = 60_000;
const pauseMs = 2000;

export interface PostgresConnection {
  clock: Pick<Clock, "now" | "sleep">;
  connectionString: string;
  /** Called while the database is temporarily unreachable. */
  report: (error: Error) => void;
}

/** Connects, and waits for a database that is still starting; any other refusal is thrown at once (exit 1). */
export async function connectPostgres(given: PostgresConnection): Promise<PgBoss> {
  const { clock, report } = given;
  const giveUpAt = clock.now() + connectTimeoutMs;
  for (;;) {
    const boss = createBoss(given);
    try {
      await boss.start();
      return boss;
    } catch (error) {
      await boss.stop({ graceful: false, close: true }).catch(() => undefined);
      if (!(error instanceof Error)) throw error;
      if (!isTemporary(error) || clock.now() >= giveUpAt) throw unusable(given, error);
      report(error);
      await clock.sleep(pauseMs);
    }
  }
}

function createBoss({ connectionString, report }: PostgresConnection): PgBoss {
  const boss = new PgBoss({
    ...driver,
    connectionString,
    schema: queueSchema,
    application_name: "ralph",
    max: connections,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on("error", report);
  return boss;
}

/** Error codes of the network, and of a server that starts, stops or has no free connection. */
const temporary =
  /^(?:ECONN\w+|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|08\w{3}|53\w{3}|57P\d\d)$/;

function isTemporary(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return temporary.test(code) || /timeout|terminated/i.test(error.message);
}

function unusable({ connectionString }: PostgresConnection, error: Error): RalphError {
  const host = URL.canParse(connectionString) ? new URL(connectionString).host : "its address";
  return new RalphError("config", {
    message: `The database at ${host} cannot be used: ${error.message}.`,
    remedy:
      "Correct DATABASE_URL, or allow connections from this host; the App waits a minute for a server that is starting.",
    cause: error,
  });
}
