/** Counts a run's connections to PostgreSQL, which other programs need, too. */
import postgres from 'postgres'

/**
 * The most that all nodes of a run may hold together; a server has a hundred by default. Some forty are
 * usual: how many depends on which files run at once, and on a busy machine nodes also end late.
 */
const maxConnections = 60

const intervalMs = 1_000

type Watch = {
  /** Prints the highest count. Resolves to an error if it should fail the run, as in CI. */
  stop(): Promise<string | undefined>
}

/** Counts the connections to databases whose names begin with `prefix`, each second from now on. */
export function watchConnections(server: string, prefix: string): Watch {
  const sql = postgres(server, { max: 1, onnotice: () => {} })
  let most = 0
  let counting = Promise.resolve()
  const count = async () => {
    const [row] = await sql`
      select count(*)::integer as count from pg_stat_activity where starts_with(datname, ${prefix})`
    most = Math.max(most, Number(row?.count))
  }
  const timer = setInterval(() => {
    // A server that is too busy to answer is counted again in a second.
    counting = count().catch(() => {})
  }, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await counting
      await sql.end({ timeout: 1 })
      process.stdout.write(` At most ${most} connections to PostgreSQL at once.\n`)
      if (most <= maxConnections || !process.env.CI) return undefined
      return `The run held ${most} connections to PostgreSQL; ${maxConnections} at most.`
    },
  }
}
