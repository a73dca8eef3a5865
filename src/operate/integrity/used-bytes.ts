/** Teams whose recorded usage of storage is not what they have stored. */
import { correctUsedBytes, findMiscounted } from '../../stores/blobs/recount.ts'
import type { CheckDeps, Found } from './deps.ts'

/** Adds up the blobs of each team. Mends by correcting the number. */
export async function* checkUsedBytes({ db, mend }: CheckDeps): AsyncGenerator<Found[]> {
  for await (const miscounted of findMiscounted(db)) {
    if (miscounted === undefined) {
      yield []
      continue
    }
    if (mend) await correctUsedBytes(db, miscounted)
    const { teamId, missing } = miscounted
    const how = missing > 0 ? `${missing} bytes less` : `${-missing} bytes more`
    const message = `The recorded storage of team ${teamId} is ${how} than what it has stored.`
    yield [{ kind: 'used_bytes', subject: teamId, message, mended: mend }]
  }
}
