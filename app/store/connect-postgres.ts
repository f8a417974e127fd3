import { PgBoss } from "pg-boss";
import { RalphError } from "../../src/error.ts";
import type { Clock } from "../../src/platform/system.ts";
import { queueSchema } from "./postgres-jobs.ts";

/** Connections of one replica. */
const connections = 6;
/** How often a replica looks for jobs whose owner has died. */
const superviseSeconds = 10;
/** A server that neither answers nor hangs up is away. The library hands it on to its driver. */
const driver = { query_timeout: 30_000 };

/** A database that is started together with the App may need so long. */
export const connectTimeoutMs = 60_000;
const pauseMs = 2000;

export interface PostgresConnection {
  clock: Pick<Clock, "now" | "sleep">;
  connectionString: string;
  /** Hears of a database that is away for a while. */
  report: (error: Error) => void;
}

/** Connects, and waits for a database that is not there yet; one that refuses us is told at once (exit 1). */
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
      if (!isAway(error) || clock.now() >= giveUpAt) throw unusable(given, error);
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

/** Of the network, or of a server that starts, stops or has no room now. */
const passing =
  /^(?:ECONN\w+|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|08\w{3}|53\w{3}|57P\d\d)$/;

function isAway(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return passing.test(code) || /timeout|terminated/i.test(error.message);
}

function unusable({ connectionString }: PostgresConnection, error: Error): RalphError {
  const host = URL.canParse(connectionString) ? new URL(connectionString).host : "its address";
  return new RalphError("config", {
    message: `The database at ${host} cannot be used: ${error.message}.`,
    remedy:
      "Correct DATABASE_URL, or let the server take connections from here; the App waits a minute for one that is starting.",
    cause: error,
  });
}
