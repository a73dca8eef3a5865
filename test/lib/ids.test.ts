import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type IdKind, idSchema, isId, newId } from '../../src/lib/ids.ts'

const prefixes = {
  deployment: 'dpl_',
  project: 'prj_',
  domain: 'dom_',
  record: 'rec_',
  event: 'evt_',
  webhook: 'hook_',
  delivery: 'dlv_',
  team: 'team_',
  user: 'usr_',
  account: 'acc_',
  session: 'ses_',
  invitationLink: 'inv_',
  key: 'key_',
  request: 'req_',
  log: 'log_',
  shareLink: 'lnk_',
  deployHook: 'dhk_',
  trustPolicy: 'tp_',
  forgeDelivery: 'fdl_',
  passkey: 'psk_',
} as const satisfies Record<IdKind, string>

const kinds = Object.keys(prefixes) as IdKind[]

describe('a new id', () => {
  it.each(kinds)('of a %s begins with its prefix, then has 32 hex digits', (kind) => {
    expect(newId(kind, Date.now())).toMatch(new RegExp(`^${prefixes[kind]}[0-9a-f]{32}$`))
  })

  it('contains its creation time, so that ids sort by it', () => {
    const ids = [0, 1, 255, 4_096, 1_790_000_000_000, 2 ** 47].map((ms) => newId('key', ms))
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map((id) => Number.parseInt(id.slice(4, 16), 16))).toEqual([
      0,
      1,
      255,
      4_096,
      1_790_000_000_000,
      2 ** 47,
    ])
  })

  it('is never generated twice, also within one millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('project', 1))).size).toBe(10_000)
  })
})

describe('the shape of an id', () => {
  it.each(kinds)('of a %s is not that of any other kind', (kind) => {
    const id = newId(kind, Date.now())
    expect(kinds.filter((other) => isId(other, id))).toEqual([kind])
    const matching = kinds.filter((other) =>
      new RegExp(`${z.toJSONSchema(idSchema(other)).pattern}`).test(id),
    )
    expect(matching).toEqual([kind])
  })

  const id = newId('project', 1)
  it.each([
    ['a digit short', id.slice(0, -1)],
    ['a digit long', `${id}0`],
    ['in capitals', id.toUpperCase()],
    ['not hex', `${id.slice(0, -1)}g`],
    ['behind a space', ` ${id}`],
    ['before a line break', `${id}\n`],
    ['empty', ''],
  ])('is not matched when it is %s', (_, text) => {
    expect(isId('project', text)).toBe(false)
  })
})
