/** What a process put, and died before the database knew of it, goes soon after; all else stays. */
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, inject, it } from 'vitest'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { withJournal } from '../../../src/stores/blobs/put-journal.ts'
import { recordStored } from '../../../src/stores/blobs/record-stored.ts'
import { removeLeftPuts } from '../../../src/stores/blobs/remove-left-puts.ts'
import { beginTenure, type Tenure } from '../../../src/stores/data-dir/tenures.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { chunks, identityOf } from './conformance.ts'

const minuteMs = 60_000

let node: TestNode
let teamId: string
let directory: string
let files: BlobStore
let tenure: Tenure
let store: BlobStore

beforeAll(async () => {
  node = await sharedNode()
  teamId = (await newTeam(node)).id
})

beforeEach(async () => {
  directory = await mkdtemp(join(inject('dataDirectories'), 'puts-'))
  files = await createFileBlobStore(join(directory, 'blobs'))
  tenure = await beginTenure(join(directory, 'tenures'))
  store = await withJournal(files, journals(), tenure)
})

const journals = () => join(directory, 'puts')

const put = (content: string) => store.put(teamId, identityOf(content), chunks(content))

async function record(content: string, object: string): Promise<void> {
  const { db } = node.installation.store
  await recordStored({ db, blobs: store, nowMs: Date.now() }, [{ teamId, ...identityOf(content), object }])
}

async function kept(): Promise<string[]> {
  const objects: string[] = []
  for await (const batch of files.list()) objects.push(...batch)
  return objects.toSorted()
}

/** Goes on as a process that has the lock after this one died. */
async function die(): Promise<void> {
  tenure = await beginTenure(join(directory, 'tenures'))
}

const tidy = (aheadMs: number) =>
  removeLeftPuts(
    { db: node.installation.store.db, blobs: files, directory: journals(), tenure },
    Date.now() + aheadMs,
  )

it('what was recorded stays, what was not goes with the journal', async () => {
  const [known, unknown] = [await put('known one'), await put('unknown one')]
  await record('known one', known)
  expect(await kept()).toEqual([known, unknown].toSorted())
  await die()
  await tidy(minuteMs)
  expect(await kept()).toEqual([known])
  expect(await readdir(journals())).toEqual([])
})

it('what was recorded stays also where nobody noted that', async () => {
  const object = await put('not noted')
  const { db } = node.installation.store
  await recordStored({ db, blobs: files, nowMs: Date.now() }, [
    { teamId, ...identityOf('not noted'), object },
  ])
  await die()
  await tidy(minuteMs)
  expect(await kept()).toEqual([object])
})

it('what was noted as recorded stays, whatever an older database says', async () => {
  const object = await put('of a newer database')
  store.recorded([object])
  await put('later')
  await die()
  await tidy(minuteMs)
  expect(await kept()).toEqual([object])
})

it('what a process that lives has put stays', async () => {
  const object = await put('under way')
  await tidy(minuteMs)
  expect(await kept()).toEqual([object])
})

it('a process that has only just died may still have a transaction under way', async () => {
  const object = await put('in its last transaction')
  await die()
  await tidy(0)
  expect(await kept()).toEqual([object])
  await tidy(minuteMs)
  expect(await kept()).toEqual([])
})

it('a journal does not grow, and keeps what is under way', async () => {
  const lost = await put('under way all the time')
  for (let group = 0; group < 11; group += 1) {
    const names = Array.from({ length: 50 }, (_, index) => `${group} ${index}`)
    const objects = await Promise.all(names.map(put))
    store.recorded(objects)
    await Promise.all(objects.map((object) => store.remove(object)))
  }
  await put('last')
  const [name = '', ...others] = await readdir(journals())
  expect(others).toEqual([])
  expect((await readFile(join(journals(), name), 'utf8')).split('\n').length).toBeLessThan(500)
  expect(await kept()).toContain(lost)
  await die()
  await tidy(minuteMs)
  expect(await kept()).toEqual([])
})

it('remembers the newest thousand of those that are never recorded', async () => {
  const first = await put('the first')
  for (let group = 0; group < 24; group += 1)
    await Promise.all(Array.from({ length: 50 }, (_, index) => put(`never ${group} ${index}`)))
  const [name = ''] = await readdir(journals())
  const lines = (await readFile(join(journals(), name), 'utf8')).split('\n')
  expect(lines.length).toBeLessThan(2_200)
  await die()
  await tidy(minuteMs)
  const left = await kept()
  expect(left).toContain(first)
  expect(left.length).toBeLessThan(300)
})

it('what could not be put is in no journal', async () => {
  const wrong = { ...identityOf('one'), size: 1_000 }
  await expect(store.put(teamId, wrong, chunks('one'))).rejects.toMatchObject({ reason: 'size_mismatch' })
  expect(await kept()).toEqual([])
})
