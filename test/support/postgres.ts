/** The PostgreSQL server that tests may use, where one answers. */
import postgres from 'postgres'

/** The address of a server on which databases can be made, or undefined where none answers. */
export async function postgresUrl(): Promise<string | undefined> {
  const url = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
  try {
    await sql`select 1`
    return url
  } catch {
    return undefined
  } finally {
    await sql.end({ timeout: 1 })
  }
}
