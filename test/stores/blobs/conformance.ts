/** What every blob store has to do; each implementation runs this suite. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { BlobIdentity, BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { sha256 } from '../../platform/deployments/steps.ts'

export type OpenedStore = {
  store: BlobStore
  /** The number of unfinished writes in the store, of which those that failed go soon. */
  unfinished(): Promise<number>
  close(): Promise<void>
}

export async function* chunks(...parts: (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield Buffer.from(part)
  }
}

export function identityOf(content: string | Uint8Array): BlobIdentity {
  return { sha256: sha256(content), size: Buffer.byteLength(content) }
}

/** Declares the suite for the store that `open` returns. */
export function describeBlobStore(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore
    let store: BlobStore

    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })

    afterAll(() => opened.close())

    const newTeamId = () => newId('team', Date.now())
    const put = (teamId: string, content: string | Uint8Array) =>
      store.put(teamId, identityOf(content), chunks(content))

    async function objectsOf(teamId: string): Promise<string[]> {
      const all: string[] = []
      for await (const batch of store.listOlderThan(Number.MAX_SAFE_INTEGER)) all.push(...batch)
      return all.filter((object) => object.startsWith(teamId)).toSorted()
    }

    it('finds the sizes of those objects that exist, in any order', async () => {
      const teamId = newTeamId()
      const objects = await Promise.all(['', 'a', 'bc', 'def'].map((content) => put(teamId, content)))
      const [empty = '', one = '', gone = '', three = ''] = objects
      await store.remove(gone)
      const never = `${newTeamId()}/${'0'.repeat(64)}-never`
      const sizes = await store.sizesOf([three, never, gone, empty, one])
      expect(new Map([...sizes].toSorted())).toEqual(
        new Map(
          [
            ...new Map([
              [empty, 0],
              [one, 1],
              [three, 3],
            ]),
          ].toSorted(),
        ),
      )
      expect(await store.sizesOf([])).toEqual(new Map())
    })

    it('returns what was put, under a name that begins with the team', async () => {
      const teamId = newTeamId()
      const content = randomBytes(300_000)
      const object = await store.put(
        teamId,
        identityOf(content),
        chunks(
          content.subarray(0, 1),
          content.subarray(1, 100_000),
          Buffer.alloc(0),
          content.subarray(100_000),
        ),
      )
      expect(object.startsWith(teamId)).toBe(true)
      expect((await store.read(object)).equals(content)).toBe(true)
      expect((await buffer(store.stream(object))).equals(content)).toBe(true)
    })

    it('accepts an empty blob, also from a source that yields nothing', async () => {
      const teamId = newTeamId()
      for (const source of [chunks(), chunks('')]) {
        const object = await store.put(teamId, identityOf(''), source)
        expect(await store.read(object)).toHaveLength(0)
        expect(await buffer(store.stream(object))).toHaveLength(0)
      }
    })

    it('accepts a Node stream as a source', async () => {
      const content = randomBytes(200_000)
      const object = await store.put(newTeamId(), identityOf(content), Readable.from([content]))
      expect((await store.read(object)).equals(content)).toBe(true)
    })

    it('streams the bytes of a range, both ends included', async () => {
      const object = await put(newTeamId(), '0123456789')
      const range = async (start: number, end: number) =>
        (await buffer(store.stream(object, { start, end, size: 10 }))).toString()
      expect(await range(0, 0)).toBe('0')
      expect(await range(2, 5)).toBe('2345')
      expect(await range(9, 9)).toBe('9')
      expect(await range(0, 9)).toBe('0123456789')
    })

    it.each([9, 11])(
      'fails for any part of an object of 10 bytes that was recorded with %i',
      async (size) => {
        const object = await put(newTeamId(), '0123456789')
        for (const [start, end] of [
          [0, size - 1],
          [0, 3],
          [5, size - 1],
        ] as const)
          await expect(buffer(store.stream(object, { start, end, size }))).rejects.toMatchObject({
            name: 'ObjectDamaged',
          })
      },
    )

    it('stores the same bytes under another name each time, for each team', async () => {
      const teamId = newTeamId()
      const objects = [await put(teamId, 'same'), await put(teamId, 'same'), await put(newTeamId(), 'same')]
      expect(new Set(objects).size).toBe(3)
      await store.remove(objects[0] ?? '')
      expect((await store.read(objects[1] ?? '')).toString()).toBe('same')
    })

    it('accepts many puts at once', async () => {
      const teamId = newTeamId()
      const contents = Array.from({ length: 50 }, (_, i) => `content ${i}`)
      const objects = await Promise.all(contents.map((content) => put(teamId, content)))
      const read = await Promise.all(objects.map(async (object) => (await store.read(object)).toString()))
      expect(read).toEqual(contents)
      expect(await objectsOf(teamId)).toEqual(objects.toSorted())
    })

    it('removes an object; removing it again, or one that never existed, succeeds', async () => {
      const teamId = newTeamId()
      const object = await put(teamId, 'gone')
      await store.remove(object)
      await store.remove(object)
      await store.remove(`${newTeamId()}/${'0'.repeat(64)}-never`)
      expect(await objectsOf(teamId)).toEqual([])
      await expect(store.read(object)).rejects.toThrow()
      await expect(buffer(store.stream(object))).rejects.toThrow()
    })

    it('lists what was written before a time, and nothing written since', async () => {
      const teamId = newTeamId()
      const object = await put(teamId, 'old')
      const listed = async (beforeMs: number) => {
        for await (const batch of store.listOlderThan(beforeMs)) if (batch.includes(object)) return true
        return false
      }
      expect(await listed(Date.now() - 60_000)).toBe(false)
      expect(await listed(Date.now() + 60_000)).toBe(true)
    })

    it('returns those of the objects that it lacks', async () => {
      const teamId = newTeamId()
      const objects = [await put(teamId, 'one'), await put(teamId, 'two'), `${newTeamId()}/never`]
      await store.remove(objects[1] ?? '')
      const recorded = objects.map((object) => ({ object, size: 3 }))
      expect(await store.findMissing(recorded)).toEqual(objects.slice(1))
      const shorter = objects.map((object) => ({ object, size: 2 }))
      expect(await store.findMissing(shorter)).toEqual(objects)
      expect(await store.findMissing([])).toEqual([])
    })

    it('returns its owner, as last set', async () => {
      expect(await store.readOwner()).toBeUndefined()
      await store.setOwner('one')
      await store.setOwner('two')
      expect(await store.readOwner()).toBe('two')
    })

    describe('a discarded object', () => {
      const day = '2026-01-31'
      const far = { beforeDay: '2026-01-01', maxBytes: 1_000_000 }

      async function discarded(): Promise<string[]> {
        const all: string[] = []
        for await (const batch of store.listDiscarded()) all.push(...batch)
        return all
      }

      it.each([
        ['is read', async (object: string) => (await store.read(object)).toString()],
        ['is streamed', async (object: string) => (await buffer(store.stream(object))).toString()],
        [
          'is looked for',
          async (object: string) =>
            (await store.findMissing([{ object, size: 4 }])).length === 0 ? 'kept' : '',
        ],
        ['is taken back', async (object: string) => ((await store.takeBack(object)) ? 'kept' : '')],
      ])('is not listed among the others, and is back there once it %s', async (_, use) => {
        const teamId = newTeamId()
        const object = await put(teamId, 'kept')
        await store.discard(object, day)
        expect(await objectsOf(teamId)).toEqual([])
        expect(await discarded()).toContain(object)
        expect(await use(object)).toBe('kept')
        expect(await objectsOf(teamId)).toEqual([object])
        expect(await discarded()).not.toContain(object)
      })

      it('may be missing, or be discarded again', async () => {
        const teamId = newTeamId()
        const object = await put(teamId, 'again')
        await store.discard(`${teamId}/never`, day)
        await store.discard(object, day)
        await store.discard(object, day)
        expect(await store.takeBack(`${teamId}/never`)).toBe(false)
        expect(await discarded()).toContain(object)
      })

      it('is removed after its day, and before, oldest first, beyond the most bytes', async () => {
        await store.removeDiscarded({ beforeDay: '9999-01-01', maxBytes: 0 })
        const teamId = newTeamId()
        const days = ['2026-01-29', '2026-01-30', '2026-01-31', '2026-01-31']
        const objects = await Promise.all(days.map((_, at) => put(teamId, `ten bytes${at}`)))
        for (const [at, object] of objects.entries()) await store.discard(object, days[at] ?? '')
        expect(await store.removeDiscarded(far)).toBe(0)
        expect(await store.removeDiscarded({ ...far, beforeDay: '2026-01-30' })).toBe(1)
        expect((await discarded()).toSorted()).toEqual(objects.slice(1).toSorted())
        expect(await store.removeDiscarded({ ...far, maxBytes: 20 })).toBe(1)
        expect((await discarded()).toSorted()).toEqual(objects.slice(2).toSorted())
        expect(await store.removeDiscarded({ ...far, maxBytes: 19 })).toBe(1)
        expect(await discarded()).toHaveLength(1)
        expect(await store.removeDiscarded({ ...far, maxBytes: 0 })).toBe(1)
        await expect(store.read(objects[3] ?? '')).rejects.toThrow()
      })
    })

    it.each([
      ['other bytes', chunks('hullo'), 'digest_mismatch'],
      ['too few bytes', chunks('hell'), 'size_mismatch'],
      ['no bytes', chunks(), 'size_mismatch'],
      ['too many bytes', chunks('hello', '!'), 'body_too_large'],
      ['far too many bytes', chunks(Buffer.alloc(1_000_000)), 'body_too_large'],
    ])('leaves nothing of %s', async (_, source, reason) => {
      const teamId = newTeamId()
      await expect(store.put(teamId, identityOf('hello'), source)).rejects.toMatchObject({ reason })
      expect(await objectsOf(teamId)).toEqual([])
      await expect.poll(() => opened.unfinished()).toBe(0)
    })

    it('leaves nothing of a failing source, and passes its error on', async () => {
      const teamId = newTeamId()
      const broken = new Error('The client went away.')
      await expect(store.put(teamId, identityOf('hello'), chunks('hel', broken))).rejects.toBe(broken)
      expect(await objectsOf(teamId)).toEqual([])
      await expect.poll(() => opened.unfinished()).toBe(0)
    })

    it('stops reading a source that yields too much', async () => {
      let yielded = 0
      async function* endless() {
        for (;;) {
          yielded += 1
          yield Buffer.alloc(1_000)
        }
      }
      const expected = { sha256: '0'.repeat(64), size: 10_000 }
      await expect(store.put(newTeamId(), expected, endless())).rejects.toMatchObject({
        reason: 'body_too_large',
      })
      expect(yielded).toBeLessThan(20)
    })

    it('reports that it is writable, and leaves nothing of the check', async () => {
      await store.check()
      await expect.poll(() => opened.unfinished()).toBe(0)
    })
  })
}
