import { describe, expect, it } from 'vitest'
import { fieldsOf, prose, typeOf } from '../../../../src/api/server/docs/schema-fields.ts'

const text = (markup: string | undefined) => markup?.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"')

describe('a type', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{ anyOf: [{ type: 'null' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }] }, 'string or null'],
    [{ type: ['integer', 'null'] }, 'integer or null'],
    [{ enum: ['a', 'b', null] }, '"a" or "b" or null'],
    [{ const: 'a' }, '"a"'],
    [{ type: 'array', items: { type: 'integer' } }, 'list of integer'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Project' } }, 'list of Project'],
    [
      { prefixItems: [{ type: 'integer' }, { anyOf: [{ type: 'number' }, { type: 'null' }] }] },
      '[integer, number or null]',
    ],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'object of string'],
    [{}, 'any'],
  ])('%j reads %s', (schema, expected) => {
    expect(text(typeOf(schema).markup)).toBe(expected)
  })
})

describe('fields', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 40, description: 'A `label`' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      time: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      build: { anyOf: [{ type: 'object', properties: { command: { type: 'string' } } }, { type: 'null' }] },
    },
    required: ['name', 'time', 'build'],
  }

  it('of a request has what is required, the limits and the default, at every depth', () => {
    const lines = text(fieldsOf(schema, true)?.markup)?.split('\n')
    expect(lines?.map((line) => line.trim()).filter((line) => line !== '')).toEqual([
      'name string, required, 1 to 40 characters',
      'A label',
      'limit integer, 1 to 100, default 20',
      'time integer, required',
      'build object or null, required',
      'command string',
    ])
  })

  it('of a response has what is optional', () => {
    const markup = text(fieldsOf(schema, false)?.markup)
    expect(markup).toContain('limit integer, not always there')
    expect(markup).not.toContain('required')
  })
})

it('text in backticks is code, and the rest is text', () => {
  expect(prose('Send `a<b` or <c>').markup).toBe('Send <code>a&lt;b</code> or &lt;c&gt;')
})
