/** A program that ends while it receives a zip: nothing of the zip stays in the data directory. */
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newDataDirectory, type Program, startOnWhatIsThere, startProgram } from '../support/program.ts'
import { zipOf } from '../support/zip.ts'

const directories: string[] = []

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

const zip = zipOf([{ path: 'index.html', content: 'hello' }])

/** Sends half of the zip, once the program waits for it. */
async function sendHalf({ apiUrl, key }: Program): Promise<ClientRequest> {
  const sent = request(new URL('/v1/deployments?project=web', apiUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/zip',
      'content-length': zip.length,
      expect: '100-continue',
    },
  })
  sent.on('error', () => {})
  sent.flushHeaders()
  await once(sent, 'continue')
  sent.write(zip.subarray(0, 50))
  return sent
}

async function leavesNothing(signal: NodeJS.Signals): Promise<void> {
  const directory = await newDataDirectory()
  directories.push(directory)
  const zips = join(directory, 'zips')
  await mkdir(zips, { recursive: true })
  await writeFile(join(zips, 'left'), 'by a crash')
  const program = await startProgram({ SVC_DATA_DIR: directory })
  expect(await readdir(zips)).toEqual([])
  const sent = await sendHalf(program)
  await program.end(signal)
  sent.destroy()
  expect(await readdir(zips)).toEqual([])
  const again = await startOnWhatIsThere({ SVC_DATA_DIR: directory })
  expect(await readdir(zips)).toEqual([])
  await again.end('SIGTERM')
}

it('leaves no file after SIGKILL, nor one of an earlier crash', { tags: 'long' }, () =>
  leavesNothing('SIGKILL'),
)

it('leaves no file after SIGTERM', { tags: 'long' }, () => leavesNothing('SIGTERM'))
