/** A whole run: the fleet starts, works under disturbances, comes to rest, and is read once more. */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { canMakeMemoryGroup } from '../support/memory-group.ts'
import type { Recorder } from './history/recorder.ts'
import { changeSites, deploy } from './load/deployments.ts'
import { readEverything } from './load/final-reads.ts'
import { closeConnections, send } from './load/http.ts'
import { visitByHttp2 } from './load/http2-visits.ts'
import { changeKeys } from './load/keys.ts'
import { observe } from './load/observers.ts'
import { visitSites } from './load/pages.ts'
import { createPushed, pushSites } from './load/pushes.ts'
import { changeRecords, createSteadyRecord } from './load/records.ts'
import { changeServed, createServed } from './load/servers.ts'
import { createWorld, type World } from './load/world.ts'
import { disturb, type Nemesis } from './nemeses/nemesis.ts'
import { shortSchedule, soakSchedule } from './nemeses/schedule.ts'
import { type Fleet, startFleet } from './parts/fleet.ts'
import { startReceiver } from './parts/receiver.ts'
import { playAttacks, prepareAttacks } from './play-attacks.ts'
import { watchStalls } from './watch-stalls.ts'

export type Options = {
  directory: string
  program: string
  canMount: boolean
  recorder: Recorder
  /** Rounds of all disturbances go on for so long; undefined: each disturbance once. */
  soakMs: number | undefined
  /** For half of that time an attacker plays all attacks, and nothing else is disturbed. */
  isAttacked: boolean
  /** Only disturbances with this in their names. */
  only: string
  cleanUp: (work: () => unknown) => void
  say: (text: string) => void
}

/** Undisturbed, with webhook requests that are refused at first. */
const warmUpMs = 6_000

/** Between two disturbances: after what nobody should notice, and after the others. */
const pauseMs = { unnoticed: 1_000, noticed: 2_000 }

/** Longer than the lease of what a killed worker was sending, which is half a minute. */
const maxSettleMs = 45_000

/** Resolves when everything is recorded; the fleet is still there. */
export async function runFleet(options: Options): Promise<void> {
  const { recorder, cleanUp, say, isAttacked } = options
  say('starting')
  if (isAttacked && !canMakeMemoryGroup)
    say('No memory groups can be made here: what nodes and their children hold is added up.')
  const receiver = await startReceiver(recorder)
  cleanUp(receiver.close)
  const fleet = await startFleet(options)
  cleanUp(closeConnections)
  const world = await createWorld(fleet, recorder, receiver)
  cleanUp(watchStalls(recorder))
  for (const team of world.teams) {
    await deploy(world, team, team.steady)
    for (const site of team.sites) await deploy(world, team, site)
    await createSteadyRecord(world, team)
    if (isAttacked) await createPushed(world, team)
  }
  if (!isAttacked) await Promise.all(world.teams.map((team) => createServed(world, team)))
  const attacker = isAttacked ? await prepareAttacks(world, options) : undefined
  const over = new AbortController()
  // One for each part of the load that pauses.
  setMaxListeners(0, over.signal)
  const load = startLoad(world, over.signal, isAttacked)
  say('warming up')
  receiver.refuseSome(true)
  await sleep(warmUpMs)
  receiver.refuseSome(false)
  if (attacker) await playAttacks(options, fleet, attacker)
  else
    for (const nemesis of schedule(options, fleet)) {
      say(nemesis.name)
      await disturb(nemesis, recorder)
      await sleep(nemesis.disturbs.length === 0 ? pauseMs.unnoticed : pauseMs.noticed)
    }
  say('coming to rest')
  over.abort()
  await load
  await readEverything(world)
  await untilDelivered(fleet, recorder)
}

function* schedule({ recorder, soakMs, only }: Options, fleet: Fleet): Generator<Nemesis> {
  const overMs = recorder.nowMs() + (soakMs ?? 0)
  do {
    const round = soakMs === undefined ? shortSchedule(fleet) : soakSchedule(fleet)
    for (const nemesis of round.filter(({ name }) => name.includes(only))) {
      if (soakMs !== undefined && recorder.nowMs() > overMs) return
      yield nemesis
    }
  } while (recorder.nowMs() < overMs)
}

/**
 * Waits until no webhook request is pending, but not longer than the lease of what a killed worker was
 * sending.
 */
async function untilDelivered({ nodes }: Fleet, recorder: Recorder): Promise<void> {
  const lateMs = recorder.nowMs() + maxSettleMs
  const ports = nodes.filter(({ role }) => role === 'worker').map(({ internalPort }) => internalPort)
  while (recorder.nowMs() < lateMs) {
    const pages = await Promise.all(ports.map((port) => send(`http://127.0.0.1:${port}/metrics`)))
    if (pages.every(({ text }) => /^svc_webhook_deliveries_pending 0$/m.test(text))) return
    await sleep(500)
  }
}

function startLoad(world: World, stopping: AbortSignal, isAttacked: boolean): Promise<unknown> {
  const more = isAttacked ? [pushSites, visitByHttp2] : [changeServed]
  const works = [changeSites, visitSites, changeKeys, changeRecords, observe, ...more]
  return Promise.all(world.teams.flatMap((team) => works.map((work) => work(world, team, stopping))))
}
