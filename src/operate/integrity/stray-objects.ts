/** Stored objects that no row refers to, and objects in the trash that one does. */

import {
  countStray,
  discardStray,
  isTooMany,
  listStray,
} from '../../platform/deployments/garbage/stray-objects.ts'
import { findNamed } from '../../stores/blobs/object-names.ts'
import type { CheckDeps, Found } from './deps.ts'

/** Reading one restores it. Mends by doing that. */
export async function* checkTrash({ db, blobs, mend }: CheckDeps): AsyncGenerator<Found[]> {
  for await (const objects of blobs.listDiscarded()) {
    const named = await findNamed(db, objects)
    const found: Found[] = []
    for (const object of objects.filter((each) => named.has(each))) {
      // Restoring another copy, if it was there already, would do nothing.
      if ((await blobs.sizeOf(object)) !== undefined) continue
      const mended = mend && (await blobs.takeBack(object))
      const message = `${object} is in the trash, although it is referenced.`
      found.push({ kind: 'object_in_trash', subject: object, message, mended })
    }
    yield found
  }
}

/** Objects older than an hour. Mends by moving them to the trash, unless they are suspiciously many. */
export async function* checkStray({ db, blobs, trash, nowMs, mend }: CheckDeps): AsyncGenerator<Found[]> {
  // The age of an object is by the clock of its store.
  const deps = { db, blobs, nowMs: Math.min(nowMs(), Date.now()) }
  const mends = mend && !isTooMany(await countStray(deps))
  for await (const { stray } of listStray(deps)) {
    const found: Found[] = []
    for (const object of stray) {
      if (mends) await discardStray(deps, object, trash.days)
      const hint = mend && !mends ? ' Too many are: `svc admin blobs sweep` moves them to the trash.' : ''
      const message = `${object} is stored, but nothing refers to it.${hint}`
      found.push({ kind: 'stray_object', subject: object, message, mended: mends })
    }
    yield found
  }
}
