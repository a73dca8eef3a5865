/** Pushes of `main` by hand, which may stop in the middle. */
import { readFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { WorkTree } from './work-tree.ts'

const none = '0'.repeat(40)

/** A push of `main`, as git sends it: all of it, or what came after the commit `from`. */
export async function pushBodyOf(tree: WorkTree, from = none): Promise<Buffer> {
  const file = join(tree.directory, '.git', 'pushed.bundle')
  const made = await tree.git('bundle', 'create', '--quiet', file, from === none ? 'main' : `${from}..main`)
  if (!made.ok) throw new Error(made.said)
  const bundle = await readFile(file)
  const commit = (await tree.git('rev-parse', 'main')).output
  const line = `${from} ${commit} refs/heads/main\0 report-status side-band-64k`
  const length = (line.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(`${length}${line}0000`), bundle.subarray(bundle.indexOf('\n\n') + 2)])
}

/** Begins a push to `<api>/git/<team>/<project>.git`; ends with the test. */
export function beginPush(remote: string, key: string): ClientRequest {
  const sent = request(`${remote}/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` },
  })
  sent.on('error', () => {})
  onTestFinished(() => void sent.destroy())
  return sent
}
