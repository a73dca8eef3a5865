/** The program as one of several processes of a node, from its start to its end. */
import cluster from 'node:cluster'
import { Socket } from 'node:net'
import { builtPlace } from '../../../api/server/dashboard/dashboard.ts'
import { defaultTimeouts } from '../../../api/server/http/timeouts.ts'
import { explainError, type Logger } from '../../../lib/log/logger.ts'
import { SettingsError } from '../../../lib/settings/error.ts'
import { parseSettings } from '../../../lib/settings/parse.ts'
import type { Settings } from '../../../lib/settings/variables.ts'
import type { GitKeepers, GitPool } from '../../../platform/git/git-leases.ts'
import { ownRatesOf } from '../../../platform/limits/limits-from-settings.ts'
import { createRemoteLimits } from '../../../platform/limits/remote-limits.ts'
import { type LeasesService, remoteKeeper } from '../../../platform/limits/serve-leases.ts'
import { remoteUids } from '../../../platform/sandbox/uids.ts'
import { remoteServers } from '../../../platform/servers/serve-servers.ts'
import { takeReadings } from '../../../roles/internal/metrics/readings.ts'
import type { Series } from '../../../roles/internal/metrics/series.ts'
import type { CacheIndex } from '../../../stores/blobs/cache/cache-index.ts'
import { openContext } from '../context.ts'
import { joinInstallation } from '../installation.ts'
import { createParts } from '../parts.ts'
import { watchBeats } from './beats.ts'
import { type Channel, createChannel } from './channel.ts'
import { channelDescriptor, isDivided, partOf } from './count.ts'
import type { Begin, ToFirst, ToOther } from './messages.ts'
import { carryMessages } from './pipe.ts'
import { seriesOfProcess, serveRoles } from './serve-roles.ts'

/** Resolves once it listens; ends with the first process, or when that says so. */
export async function serveAsProcess(log: Logger): Promise<void> {
  // A terminal sends them to every process of a node; the first one says when to stop.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})
  const pipe = new Socket({ fd: channelDescriptor })
  // At once: whoever takes over the data directory must be alone in it.
  pipe.once('close', () => process.exit(1))

  const stopping = new AbortController()
  const parts = createParts((error) =>
    log.error({ err: error }, 'A part of this process did not stop cleanly.'),
  )
  let series: Series[] = []
  let stopAccepting = async () => {}
  let recallLoan: ToOther['recallLoan'] = async () => null
  const handlers: ToOther = {
    beat() {},
    readings: () => takeReadings(series),
    recallLoan: (loan) => recallLoan(loan),
    leaveCluster() {
      // Its own process would end it otherwise.
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
      process.disconnect()
    },
    stopAccepting: () => stopAccepting(),
    async stop() {
      stopping.abort()
      await parts.close()
      process.exit(0)
    },
  }
  const send = carryMessages(pipe, (message) => first.receive(message))
  const first: Channel<ToFirst> = createChannel<ToFirst>(handlers, send)
  // Without the first process nobody says whether the node is ready: an orchestrator has to see that this one
  // is not.
  watchBeats({ ask: () => first.request('beat', undefined), onLate() {}, onGone: () => process.exit(1) })
  try {
    const begin = await first.request('begin', undefined)
    const settings = settingsOf(begin)
    const installation = parts.add(await joinInstallation(settings, cacheIndexOf(first), log))
    const together = togetherOf(begin, settings, first)
    recallLoan = together.limits.recall
    const given = {
      settings,
      environment: process.env,
      installation,
      log,
      nowMs: installation.nowMs,
      stopping: stopping.signal,
      timeouts: defaultTimeouts,
      dashboard: builtPlace,
      together,
    }
    const context = await openContext(given, parts)
    const served = await serveRoles(context, first, parts)
    series = seriesOfProcess(context)
    stopAccepting = served.stopAccepting
    first.notify('listening', served.places)
  } catch (error) {
    const isSetting = error instanceof SettingsError
    await first.request('failed', { message: isSetting ? error.message : explainError(error), isSetting })
    process.exit(1)
  }
}

/** The first process has put the settings of `.env` into the environment. */
function settingsOf({ processes, ports }: Begin): Settings {
  const settings = parseSettings(process.env)
  const roles = settings.SVC_ROLES.filter(isDivided)
  return partOf({ ...settings, ...ports, SVC_ROLES: roles }, processes)
}

function cacheIndexOf(first: Channel<ToFirst>): CacheIndex {
  return {
    has: (object) => first.request('hasCached', object),
    put: (object, size) => first.notify('putCached', { object, size }),
    drop: (object) => first.notify('dropCached', object),
    close: async () => {},
  }
}

function togetherOf({ processes, ticketKeys }: Begin, settings: Settings, first: Channel<ToFirst>) {
  const share = 1 / processes
  const limits = createRemoteLimits(
    {
      draw: (input) => first.request('draw', input),
      giveBack: (input) => first.notify('giveBack', input),
      drawLent: (input) => first.request('drawLent', input),
      returnLoan: (input) => first.notify('returnLoan', input),
      beginLookUp: (input) => first.request('beginLookUp', input),
      endLookUp: (input) => first.notify('endLookUp', input),
      takeConnection: (input) => first.request('takeConnection', input),
      giveConnectionBack: (input) => first.notify('giveConnectionBack', input),
    },
    ownRatesOf(settings),
    { share },
  )
  const gitKeepers = gitKeepersOf(first)
  const sandboxUids = remoteUids({
    takeUid: () => first.request('takeUid', undefined),
    giveUidBack: (uid) => first.notify('giveUidBack', uid),
  })
  const servers = remoteServers({
    leaseServer: (lease) => first.request('leaseServer', lease),
    holdSocket: (socket) => first.request('holdSocket', socket),
    isServerRunning: (key) => first.request('isServerRunning', key),
    takeOverServer: (of) => first.request('takeOverServer', of),
    noteProblems: (noted) => first.notify('noteProblems', noted),
    endServerLease: (lease) => first.notify('endServerLease', lease),
  })
  return { limits, share, gitKeepers, sandboxUids, servers, ticketKeys: Buffer.from(ticketKeys, 'base64') }
}

/** Those of the first process. */
function gitKeepersOf(first: Channel<ToFirst>): GitKeepers {
  const service: LeasesService<GitPool> = {
    takeLease: (wanted) => first.request('takeLease', wanted),
    endLease: (lease) => first.notify('endLease', lease),
    offerLease: (lease) => first.request('offerLease', lease),
    keepLease: (lease) => first.notify('keepLease', lease),
  }
  return { receiving: remoteKeeper(service, 'receiving'), reading: remoteKeeper(service, 'reading') }
}
