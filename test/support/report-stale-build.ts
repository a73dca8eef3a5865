/** Ends the report of a failed run with a sentence, where `dist` was built from other sources. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { Reporter } from 'vitest/node'

/** For `reporters`: a run without a failure doesn't wait for the look at all files. */
export const reportStaleBuild: Reporter = {
  onTestRunEnd(_modules, _errors, reason) {
    if (reason === 'failed') process.stdout.write(describeStaleBuild('.'))
  },
}

/** A sentence for whoever reads failures of the program there, or of its types; empty for a valid build. */
export function describeStaleBuild(directory: string): string {
  const { status } = spawnSync(process.execPath, [resolve('build/built-from.mjs')], { cwd: directory })
  if (status === 0) return ''
  return (
    ' `dist` was built from other sources: where a failure is about the program, the client or their ' +
    'types, run `npm run build`.\n'
  )
}
