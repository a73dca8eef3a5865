import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { newId } from '../../../src/lib/ids.ts'
import { afterCursor, afterName, pageOf } from '../../../src/stores/db/page.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'

type Row = { created_ms: number; id: string }

const rows: Row[] = [3, 2, 1].map((ms) => ({ created_ms: ms, id: newId('key', ms) }))
const keyOf = (row: Row) => [row.created_ms, row.id]
const pageAfter = (cursor: string | undefined) => afterCursor('key', cursor, apiKeys.createdMs, apiKeys.id)

describe('a page', () => {
  it('of fewer rows than requested is the last', () => {
    expect(pageOf(rows, 4, keyOf)).toEqual({ data: rows, next_cursor: null })
    expect(pageOf(rows, 3, keyOf)).toEqual({ data: rows, next_cursor: null })
    expect(pageOf([], 3, keyOf)).toEqual({ data: [], next_cursor: null })
  })

  it('leaves out the extra row that was requested, and has a cursor then', () => {
    const { data, next_cursor } = pageOf(rows, 2, keyOf)
    expect(data).toEqual(rows.slice(0, 2))
    expect(next_cursor).toMatch(/^[\w-]+$/)
  })

  it('continues after its last row: its cursor is accepted by the same list', () => {
    const { next_cursor } = pageOf(rows, 2, keyOf)
    expect(pageAfter(next_cursor ?? '')).toBeDefined()
    const names = pageOf([{ name: 'a' }, { name: 'b' }], 1, ({ name }) => [name])
    expect(afterName(names.next_cursor ?? '', projects.name)).toBeDefined()
  })
})

describe('a cursor', () => {
  it('that is omitted is no condition', () => {
    expect(pageAfter(undefined)).toBeUndefined()
    expect(afterName(undefined, projects.name)).toBeUndefined()
  })

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [, row] = rows
  const mine = encode([row?.created_ms, row?.id])

  it.each([
    ['of a list by name', encode(['web'])],
    ['of another kind', encode([1, newId('deployment', 1)])],
    ['with extra content', encode([1, row?.id, 'x'])],
    ['with a space in its JSON', Buffer.from(`[1, "${row?.id}"]`).toString('base64url')],
    ['with a number in another spelling', Buffer.from(`[1.0,"${row?.id}"]`).toString('base64url')],
    ['with padding', `${mine}=`],
    ['with a character that base64 ignores', `${mine.slice(0, 4)}!${mine.slice(4)}`],
    ['past the safe integers', Buffer.from(`[9007199254740993,"${row?.id}"]`).toString('base64url')],
    ['that is empty', ''],
  ])('%s is refused', (_, cursor) => {
    expect(pageAfter(mine)).toBeDefined()
    expect(() => pageAfter(cursor)).toThrow(AppError)
    expect(() => pageAfter(cursor)).toThrow('next_cursor')
  })

  it('of a list by time is refused by one by name', () => {
    expect(() => afterName(mine, projects.name)).toThrow(AppError)
    expect(() => afterName(encode(["a'b"]), projects.name)).toThrow(AppError)
  })
})
