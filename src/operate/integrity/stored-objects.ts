/** Objects that rows refer to and that are missing or not what they should be. */
import { createHash } from 'node:crypto'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { digestOf } from '../../stores/blobs/object-identity.ts'
import { findNamed } from '../../stores/blobs/object-names.ts'
import { blobPages, type RecordedObject } from './blob-pages.ts'
import { resetForms } from './compressed-forms.ts'
import type { CheckDeps, Found } from './deps.ts'
import { findUsers } from './find-users.ts'

type Flaw = { object: RecordedObject; what: 'missing' | 'of another size' | 'damaged' }

/** Enough to wait for a bucket's responses together, and few beside the requests of visitors. */
const readsAtOnce = 32

/** The bytes that are read at once, but for a single larger file. */
const bytesAtOnce = 16 * 1024 * 1024

/** Mends lost compressed forms, which are made again. */
export async function* checkStoredObjects(deps: CheckDeps): AsyncGenerator<Found[]> {
  for await (const page of blobPages(deps.db)) {
    const flaws = await stillNamed(deps, await flawsOf(deps, page))
    await deps.onLost(flaws.map(({ object }) => object.object))
    yield await describe(deps, flaws)
  }
}

async function flawsOf({ blobs, deep }: CheckDeps, page: RecordedObject[]): Promise<Flaw[]> {
  const sizes = await blobs.sizesOf(page.map(({ object }) => object))
  const flaws: Flaw[] = []
  const whole: RecordedObject[] = []
  for (const object of page) {
    const size = sizes.get(object.object)
    if (size === undefined) flaws.push({ object, what: 'missing' })
    else if (size !== object.size) flaws.push({ object, what: 'of another size' })
    else whole.push(object)
  }
  if (deep) {
    for (const some of inGroups(whole))
      await inParallel(some, readsAtOnce, async (object) => {
        if ((await digestIn(blobs, object)) !== digestOf(object.object))
          flaws.push({ object, what: 'damaged' })
      })
  }
  return flaws
}

/** Groups that may be read at once. */
function* inGroups(objects: RecordedObject[]): Generator<RecordedObject[]> {
  let [group, bytes]: [RecordedObject[], number] = [[], 0]
  for (const object of objects) {
    if (group.length === readsAtOnce || (group.length > 0 && bytes + object.size > bytesAtOnce)) {
      yield group
      group = []
      bytes = 0
    }
    group.push(object)
    bytes += object.size
  }
  if (group.length > 0) yield group
}

async function digestIn(blobs: CheckDeps['blobs'], { object }: RecordedObject): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of blobs.streamRaw(object)) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Without those that were collected or replaced since their rows were read, and those in the trash, which
 * reading restores.
 */
async function stillNamed({ db, blobs }: CheckDeps, flaws: Flaw[]): Promise<Flaw[]> {
  if (flaws.length === 0) return []
  const named = await findNamed(
    db,
    flaws.map(({ object }) => object.object),
  )
  const left = flaws.filter(({ object }) => named.has(object.object))
  const missing = new Set(left.filter(({ what }) => what === 'missing').map(({ object }) => object.object))
  if (missing.size > 0)
    for await (const discarded of blobs.listDiscarded())
      for (const object of discarded) missing.delete(object)
  return left.filter(({ object, what }) => what !== 'missing' || missing.has(object.object))
}

async function describe(deps: CheckDeps, flaws: Flaw[]): Promise<Found[]> {
  const [own, forms] = [
    flaws.filter(({ object }) => object.form === 'identity'),
    flaws.filter(({ object }) => object.form !== 'identity'),
  ]
  const users = await findUsers(
    deps.db,
    own.map(({ object }) => object.blobId),
  )
  const reset = deps.mend
    ? await resetForms(
        deps,
        forms.map(({ object }) => object),
      )
    : new Set<string>()
  return [
    ...own.map(({ object: { object, blobId }, what }) => ({
      kind: 'object_missing',
      subject: object,
      message: `${object} is ${what}${users.get(blobId) ?? ': no deployment has it'}${remedyOf(what)}.`,
      mended: false,
    })),
    ...forms.map(({ object: { object, form }, what }) => ({
      kind: 'compressed_form_missing',
      subject: object,
      message: `${object}, a file compressed with ${form}, is ${what}: it can be made again.`,
      mended: reset.has(object),
    })),
  ]
}

/** Deploying stores only what is missing, or has another length. */
function remedyOf(what: Flaw['what']): string {
  return what !== 'damaged' ? '' : '; restore the file from a backup, or remove it before that'
}
