/** Checks an installation: its rows, its stored files, and whether they fit together. */
import { letOthersRun } from '../../lib/async/let-others-run.ts'
import type { CheckEvent } from '../../stores/data-dir/admin-streams.ts'
import type { CheckDeps, Part } from './deps.ts'
import { checkRows } from './find-rows.ts'
import { checkForeignKeys } from './foreign-keys.ts'
import { checkKeptLinks } from './kept-links.ts'
import { checkSecrets } from './secrets.ts'
import { checkSiteFiles } from './site-files.ts'
import { checkStoredObjects } from './stored-objects.ts'
import { checkStray, checkTrash } from './stray-objects.ts'
import { checkUsedBytes } from './used-bytes.ts'

/** Storage is counted once compressed forms are forgotten. */
const parts: { name: string; run: Part }[] = [
  { name: 'references', run: checkForeignKeys },
  { name: 'rows', run: checkRows },
  { name: 'files of deployments', run: checkSiteFiles },
  { name: 'links of servers', run: checkKeptLinks },
  { name: 'secrets', run: checkSecrets },
  { name: 'trash', run: checkTrash },
  { name: 'stored files', run: checkStoredObjects },
  { name: 'stray files', run: checkStray },
  { name: 'used storage', run: checkUsedBytes },
]

const reportEveryMs = 250

/**
 * Yields what is wrong, mended if that is safe and wanted, and its progress; returning early stops it.
 * @throws the database's error; AppError `store_unavailable`.
 */
export async function* checkInstallation(deps: CheckDeps): AsyncGenerator<CheckEvent> {
  let reportedMs = Number.NEGATIVE_INFINITY
  for (const { name, run } of parts) {
    let pages = 0
    for await (const found of run(deps)) {
      for (const problem of found) yield { type: 'problem', ...problem }
      pages += 1
      // The embedded database never waits for anything by itself.
      await letOthersRun()
      if (performance.now() - reportedMs < reportEveryMs) continue
      reportedMs = performance.now()
      yield { type: 'progress', part: name, pages }
    }
  }
}
