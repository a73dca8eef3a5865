import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { issueMessage } from '../../../src/api/trpc/issue-messages.ts'

function words(schema: z.ZodType, input: unknown): string[] | undefined {
  const { error } = schema.safeParse(input, { error: issueMessage })
  return error?.issues.map(({ message }) => message)
}

describe('default messages for Zod issues', () => {
  it.each([
    ['required', z.string(), undefined],
    ['required', z.enum(['a', 'b']), undefined],
    ['must be a string, not null', z.string(), null],
    ['must be a string, not a number', z.string(), 1],
    ['must be a whole number, not 1.5', z.int(), 1.5],
    ['must be a number, not a string', z.int(), '1'],
    ['must be an array, not an object', z.array(z.string()), {}],
    ['must be an object, not an array', z.object({}), []],
    ['must be an object, not a string', z.record(z.string(), z.string()), 'text'],
    ['must be true or false, not a string', z.boolean(), 'yes'],
    ['must be one of production, preview', z.enum(['production', 'preview']), 'live'],
    ['must be 1', z.literal(1), 2],
    ['must have at most 3 characters', z.string().max(3), 'four'],
    ['must have at least 1 character', z.string().min(1), ''],
    ['must have exactly 2 characters', z.string().length(2), 'one'],
    ['must have at most 1 item', z.array(z.int()).max(1), [1, 2]],
    ['must be at most 100', z.int().max(100), 101],
    ['must be at least 1', z.int().min(1), 0],
    ['must be more than 0', z.number().gt(0), 0],
    ['must be less than 10', z.number().lt(10), 10],
  ])('%s', (message, schema, input) => {
    expect(words(z.object({ field: schema }), { field: input })).toEqual([message])
  })
})

it('names the whole input in a sentence', () => {
  expect(words(z.object({}), [])).toEqual(['The input must be an object, not an array.'])
  expect(words(z.object({}), undefined)).toEqual(['The input is required.'])
})

it('keeps the message of a schema that has one', () => {
  expect(words(z.string({ error: 'must be its name' }), 1)).toEqual(['must be its name'])
})

it('leaves unknown issues to the library', () => {
  expect(words(z.iso.date(), 'today')).toEqual(['Invalid ISO date'])
})
