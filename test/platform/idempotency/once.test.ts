/** A slow call, and a failed one: what each may still do once another call has its idempotency key. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/platform/callers/keys.ts'
import type { Principal } from '../../../src/platform/callers/principal.ts'
import type { Scope } from '../../../src/platform/idempotency/claims.ts'
import { deleteExpiredKeys } from '../../../src/platform/idempotency/delete-expired.ts'
import { once, type Remember } from '../../../src/platform/idempotency/once.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { noKeyLimits } from '../../support/limits.ts'
import type { TestNode } from '../../support/node.ts'
import { believed } from '../../support/removal.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let scope: Scope
/** The owner's credential, which is checked again before anything is changed. */
let keyId: string

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
  const [key] = await store().db.select().from(apiKeys).where(eq(apiKeys.teamId, team.id))
  keyId = key?.id ?? ''
  return () => node.stop()
})

const store = () => node.installation.store

const input = { name: 'ci', role: 'member' } as const

function newScope(): Scope {
  scope = { teamId: team.id, userId: team.ownerId, operation: 'tokens.createKey', key: randomUUID() }
  return scope
}

function run(work: (remember: Remember) => Promise<unknown>, aheadMs = 0) {
  const nowMs = () => Date.now() + aheadMs
  return once({ db: store().db, nowMs, removal: believed(nowMs) }, scope, input, work)
}

function makeKey(name: string) {
  const principal: Principal = {
    kind: 'key',
    keyLimits: noKeyLimits,
    keyId,
    prefix: '',
    userId: team.ownerId,
    teamId: team.id,
    teamSlug: team.slug,
    plan: 'free',
    projects: null,
    role: 'owner',
  }
  return (remember: Remember) =>
    createKey(
      { store: store(), nowMs: Date.now },
      { principal, address: '', requestId: '' },
      { name, role: 'member' },
      remember,
    )
}

const keysNamed = (name: string) => store().db.select().from(apiKeys).where(eq(apiKeys.name, name))

/** A promise, and the function that settles it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** A call that has claimed the key, and creates an API key of this name once it is released. */
async function slowRun(name: string) {
  const claimed = gate()
  const wait = gate()
  const ended = run(async (remember) => {
    claimed.open()
    await wait.opened
    return makeKey(name)(remember)
  })
  await claimed.opened
  return { letGo: wait.open, ended }
}

describe('a call that takes longer than its lease', () => {
  it('commits nothing once a repeat has responded in its place', async () => {
    newScope()
    const slow = await slowRun('slow')
    const repeat = await run(makeKey('repeat'), 61_000)
    slow.letGo()
    await expect(slow.ended).rejects.toMatchObject({ reason: 'idempotency_in_progress' })
    expect(await keysNamed('slow')).toEqual([])
    const { token: _token, ...kept } = { token: '', ...Object(repeat) }
    expect(await run(makeKey('third'))).toEqual(kept)
    expect(await keysNamed('third')).toEqual([])
  })

  it('commits nothing while a repeat runs in its place', async () => {
    newScope()
    const slow = await slowRun('slower')
    const repeat = run(async (remember) => {
      slow.letGo()
      await slow.ended.catch(() => {})
      return makeKey('replacing')(remember)
    }, 61_000)
    await expect(slow.ended).rejects.toMatchObject({ reason: 'idempotency_in_progress' })
    expect(await repeat).toMatchObject({ name: 'replacing' })
    expect([await keysNamed('slower'), await keysNamed('replacing')]).toEqual([[], [expect.anything()]])
  })

  it('commits nothing once its expired claim was removed', async () => {
    newScope()
    const slow = await slowRun('cleared')
    while (await deleteExpiredKeys({ db: store().db, nowMs: Date.now() + 61_000 }));
    slow.letGo()
    await expect(slow.ended).rejects.toMatchObject({ reason: 'idempotency_in_progress' })
    expect(await keysNamed('cleared')).toEqual([])
  })

  it('still commits if there was no repeat', async () => {
    newScope()
    const slow = await slowRun('late')
    slow.letGo()
    expect(await slow.ended).toMatchObject({ name: 'late' })
    expect(await keysNamed('late')).toHaveLength(1)
  })
})

describe('a call that fails', () => {
  it('before its commit releases the key at once', async () => {
    newScope()
    const failed = run(async () => {
      throw new Error('before')
    })
    await expect(failed).rejects.toThrow('before')
    expect(await run(makeKey('after a failure'))).toMatchObject({ name: 'after a failure' })
  })

  it('during its commit has neither an effect nor a stored response', async () => {
    newScope()
    const failed = run((remember) =>
      makeKey('rolled back')(async (tx, answer) => {
        await remember(tx, answer)
        throw new Error('in the end')
      }),
    )
    await expect(failed).rejects.toThrow('in the end')
    expect(await keysNamed('rolled back')).toEqual([])
    expect(await run(makeKey('in its place'))).toMatchObject({ name: 'in its place' })
  })

  it('after its commit leaves the response for the repeat', async () => {
    newScope()
    const failed = run(async (remember) => {
      await makeKey('committed')(remember)
      throw new Error('the answer was lost')
    })
    await expect(failed).rejects.toThrow('the answer was lost')
    expect(await run(makeKey('again'))).toMatchObject({ name: 'committed' })
    expect(await keysNamed('again')).toEqual([])
  })

  it('is one that does not store its response', async () => {
    newScope()
    await expect(run(async () => ({}))).rejects.toThrow('tokens.createKey did not store its response.')
  })
})

describe('removal', () => {
  it('deletes responses after a day, in rounds', async () => {
    const { db } = store()
    while (await deleteExpiredKeys({ db, nowMs: Date.now() + 48 * 60 * 60 * 1000 }));
    newScope()
    await run(makeKey('kept'))
    const dayMs = 24 * 60 * 60 * 1000
    expect(await deleteExpiredKeys({ db, nowMs: Date.now() + dayMs - 60_000 })).toBe(0)
    expect(await run(makeKey('not made'))).toMatchObject({ name: 'kept' })
    expect(await deleteExpiredKeys({ db, nowMs: Date.now() + dayMs + 60_000 })).toBeGreaterThan(0)
    expect(await run(makeKey('made anew'))).toMatchObject({ name: 'made anew' })
  })
})
