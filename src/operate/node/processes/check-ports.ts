/**
 * Checks that ports are free before several processes share them: the system would let another node share
 * them, too.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { bind, type Place } from '../../../lib/net/listen.ts'
import { SettingsError } from '../../../lib/settings/error.ts'

/** Processes of a node that was killed may take a moment to notice. */
const patienceMs = 2_000
const tryEveryMs = 50

/** Resolves once nobody listens at `place`. @throws SettingsError when its port stays in use. */
export async function checkPort(place: Place): Promise<void> {
  const endMs = performance.now() + patienceMs
  for (;;) {
    const server = createServer()
    try {
      await bind(server, place)
      server.close()
      await once(server, 'close')
      return
    } catch (error) {
      if (!(error instanceof SettingsError) || performance.now() > endMs) throw error
      await sleep(tryEveryMs)
    }
  }
}
