/** Where a page of the dashboard is, if there is one. */
import type { ServerDeps } from '../deps.ts'

/** The path, or `/`, whose page is there without the dashboard's files, too. */
export async function dashboardPath({ dashboard }: ServerDeps, path: string): Promise<string> {
  return (await dashboard?.find(path.slice(1), false)) ? path : '/'
}
