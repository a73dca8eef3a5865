/** What a writer left that died goes when the store is opened; what anybody may still write stays. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { newIncomingName } from '../../../src/stores/blobs/incoming.ts'
import { unreserved } from '../../../src/stores/data-dir/disk-reserve.ts'
import { beginTenure } from '../../../src/stores/data-dir/tenures.ts'

async function deadPid(): Promise<number | undefined> {
  const child = spawn('true', { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  return child.pid
}

it('of this machine, of another one, and of another container', async ({ skip }) => {
  const directory = await mkdtemp(join(inject('directory'), 'blobs-'))
  await createFileBlobStore(directory)
  const incoming = join(directory, 'incoming')
  const alive = await newIncomingName()
  const [boot = '', namespace = '', pid = '', startTime = '', random = ''] = alive.split('.')
  if (random === '') return skip('this system does not say who a process is')
  const dead = await deadPid()
  const left = [
    [boot, namespace, dead, startTime, random].join('.'),
    // Its number is that of another process now.
    [boot, namespace, pid, Number(startTime) - 1, random].join('.'),
  ]
  const kept = [
    alive,
    [`${boot}0`, namespace, dead, startTime, random].join('.'),
    [boot, `${namespace}0`, dead, startTime, random].join('.'),
    random,
  ]
  for (const name of [...left, ...kept]) await writeFile(join(incoming, name), 'half')
  await createFileBlobStore(directory)
  expect((await readdir(incoming)).sort()).toEqual(kept.sort())
  await rename(join(incoming, alive), join(directory, 'whole'))
})

it('of an earlier tenure, wherever that was, and not of the present one or of another lock', async () => {
  const directory = await mkdtemp(join(inject('directory'), 'blobs-'))
  const file = join(directory, 'tenures')
  const before = await beginTenure(file)
  await createFileBlobStore(directory, unreserved, before)
  const incoming = join(directory, 'incoming')
  const after = await beginTenure(file)
  const elsewhere = await beginTenure(join(directory, 'others'))
  const random = '0'.repeat(32)
  const otherBoot = `${randomUUID()}.4026531836.1.1.${random}`
  const left = [await newIncomingName(before), `${before.id}.${otherBoot}`, `${before.id}.${random}`]
  const kept = [await newIncomingName(after), `${elsewhere.id}.${otherBoot}`, `${after.id}.${otherBoot}`]
  for (const name of [...left, ...kept]) await writeFile(join(incoming, name), 'half')
  await createFileBlobStore(directory, unreserved, after)
  expect((await readdir(incoming)).sort()).toEqual(kept.sort())
})
