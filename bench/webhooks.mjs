/** Deliveries of webhooks: how soon, how many a second, and what dead receivers do to the others. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { newSecret } from '../dist/platform/webhooks/secret.js'
import { deriveKey } from '../dist/stores/data-dir/encryption-key.js'
import { seal } from '../dist/stores/data-dir/seal.js'
import { amount } from './amount.mjs'
import { loadCores, readUntil, serverCores, start, stop } from './children.mjs'
import { compare, measure, median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const peer = (name) => fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url))

const idleEvents = amount(100, 3)
const idlePauseMs = 50

const endpoints = amount(1_000, 20)
const events = amount(100, 2)
const deadOf = 10
/** A thousand deliveries each time. */
const eventEveryMs = amount(800, 100)

const barIdleMs = 100
const barLiveMs = 5_000

/**
 * How long after an event it is delivered: with nothing else to do, and to many endpoints of which some are
 * dead.
 */
export async function benchWebhookTimes({ directory, openDatabase }) {
  const { svc, sql, receiver, addWebhooks, happen } = await prepare(join(directory, 'webhooks'), openDatabase)
  const [hook] = await addWebhooks([`${receiver.url}/live/idle`])
  for (let event = 0; event < idleEvents; event += 1) {
    await happen([hook])
    await wait(idlePauseMs)
  }
  const idle = await receiver.until(idleEvents)

  const urls = Array.from({ length: endpoints }, (_, index) =>
    index % deadOf === 0 ? `${receiver.url}/dead/${index}` : `${receiver.url}/live/${index}`,
  )
  const hooks = await addWebhooks(urls)
  for (let event = 0; event < events; event += 1) {
    const next = wait(eventEveryMs)
    await happen(hooks)
    await next
  }
  const live = await receiver.until(idleEvents + (endpoints - endpoints / deadOf) * events)
  await Promise.all([stop(svc.child), stop(receiver.child), sql.end()])
  const row = (what, allowedMs, takenMs) => ({ what, few: allowedMs, many: takenMs, bar: 1 })
  return {
    title: 'event to delivery, PostgreSQL',
    sides: ['allowed', 'taken'],
    notes: ['All deliveries to receivers that live arrived.'],
    latencies: [
      row('idle, median', barIdleMs, median(idle)),
      row(
        '1,000 endpoints, 100 of them dead, 100 events: live ones, 99 %',
        barLiveMs,
        percentile(live, 0.99),
      ),
    ],
  }
}

/** Deliveries a second from a backlog, beside a bare loop with the same client and signature. */
export async function benchWebhookRate({ directory, openDatabase }) {
  const { svc, sql, receiver, addWebhooks, happen, database } = await prepare(
    join(directory, 'webhook-rate'),
    openDatabase,
  )
  const urls = Array.from({ length: 100 }, (_, index) => `${receiver.url}/live/${index}`)
  const hooks = await addWebhooks(urls)
  const backlog = amount(2_000, 400, 800)
  await happen(hooks, backlog)
  await sql`vacuum analyze events, deliveries, webhooks`
  const loop = start(serverCores, [process.execPath, peer('signed-loop'), `${receiver.url}/live/loop`])
  await readUntil(loop, /ready/)
  const targets = [
    { name: 'svc', child: svc.child, url: '', headers: {} },
    { name: 'the bare loop', child: loop, url: '', headers: {} },
  ]
  for (const { child } of targets) child.kill('SIGSTOP')

  /** Only the one that is measured runs. */
  async function load({ child }, seconds) {
    const { count: before } = await receiver.seen()
    child.kill('SIGCONT')
    await wait(seconds * 1_000)
    child.kill('SIGSTOP')
    const count = (await receiver.seen()).count - before
    return { rate: count / seconds, count }
  }
  let isMoved = true
  const measured = await measure(targets, {
    load,
    // By then all connections are open.
    async afterWarmUp() {
      isMoved = await database.moveAway()
    },
  })
  const [{ left }] = await sql`select count(*)::int as left from deliveries where status = 'pending'`
  if (left === 0) throw new Error('The backlog was too short.')
  await Promise.all([...targets.map(({ child }) => stop(child)), stop(receiver.child), sql.end()])
  return {
    title: 'webhook deliveries, PostgreSQL',
    unit: 'delivery',
    notes: isMoved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    measured,
    comparisons: [{ to: measured[1].name, bar: 0.5, ...compare(measured[0], measured[1]) }],
  }
}

async function prepare(directory, openDatabase) {
  const database = await openDatabase()
  const master = randomBytes(32)
  const svc = await startSvc(directory, database.url, {
    SVC_ENCRYPTION_KEY: master.toString('base64'),
    SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  })
  const child = start(loadCores, [process.execPath, peer('receiver')])
  const url = `http://127.0.0.1:${(await readUntil(child, /\d+\n/)).trim()}`
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  const key = deriveKey(master, 'webhooks')

  async function addWebhooks(urls) {
    const rows = urls.map((url) => {
      const id = `hook_${randomBytes(16).toString('hex')}`
      return { id, url, sealed_secret: seal(key, id, newSecret()) }
    })
    await sql`
      insert into webhooks (id, team_id, url, events, sealed_secret, created_ms)
      select each.id, teams.id, each.url, '[]', each.sealed_secret, 0
      from jsonb_to_recordset(${sql.json(rows)}) as each (id text, url text, sealed_secret text), teams`
    return rows.map(({ id }) => id)
  }

  /** As the program writes what happens; so many events at once, each for all of these webhooks. */
  async function happen(hooks, count = 1) {
    const nowMs = Date.now()
    const data = { project: { id: `prj_${'0'.repeat(32)}`, name: 'web' } }
    const changed = JSON.stringify({ node: 'bench', changes: [{ kind: 'work', id: 'deliveries' }] })
    await sql`
      with happened as (
        insert into events (id, team_id, type, data, created_ms)
        select 'evt_' || replace(gen_random_uuid()::text, '-', ''), teams.id, 'project.created',
          ${sql.json(data)}, ${nowMs}
        from teams, generate_series(1, ${count}::int) returning id, team_id
      ), queued as (
        insert into deliveries (id, team_id, webhook_id, event_id, status, due_ms, created_ms)
        select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), happened.team_id, hook, happened.id,
          'pending', ${nowMs}, ${nowMs}
        from happened, unnest(${hooks}::text[]) as hook
      )
      select pg_notify('svc_changes', ${changed})`
  }

  const seen = async () => (await fetch(`${url}/seen`)).json()

  /** The ages of what came until there were so many in all. */
  async function until(count) {
    const ages = []
    for (let tries = 0; tries < 600; tries += 1) {
      const told = await seen()
      ages.push(...told.ages)
      if (told.count >= count) return ages
      await wait(100)
    }
    throw new Error('Deliveries were lost.')
  }

  return { svc, sql, receiver: { child, url, seen, until }, addWebhooks, happen, database }
}

const percentile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]
