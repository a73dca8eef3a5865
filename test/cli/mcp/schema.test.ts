/** Schemas of a document: references, and secrets. */
import { describe, expect, it } from 'vitest'
import { hasSecret, inlined, secretIn, withoutSecrets } from '../../../src/cli/mcp/schema.ts'

const secret = { type: 'string', format: 'password' }
const maybe = { anyOf: [secret, { type: 'null' }] }
const input = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    password: maybe,
    hooks: { type: 'array', items: { type: 'object', properties: { url: { type: 'string' }, key: secret } } },
    either: { anyOf: [{ type: 'object', properties: { token: secret } }, { type: 'null' }] },
  },
}

it('puts each schema in the place of what refers to it', () => {
  const components = {
    A: { type: 'array', items: { $ref: '#/components/schemas/B' } },
    B: { type: 'string' },
  }
  expect(inlined({ $ref: '#/components/schemas/A', title: 'own' }, components)).toEqual({
    type: 'array',
    items: { type: 'string' },
    title: 'own',
  })
})

it('leaves one within itself open, and one that is missing', () => {
  const components = { A: { properties: { a: { $ref: '#/components/schemas/A' } } } }
  expect(inlined({ $ref: '#/components/schemas/A' }, components)).toEqual({ properties: { a: {} } })
  expect(inlined({ $ref: '#/components/schemas/None' }, components)).toEqual({})
})

describe('secrets', () => {
  it('are found at any depth', () => {
    expect(hasSecret({ anyOf: [{ type: 'null' }, { properties: { token: secret } }] })).toBe(true)
    expect(hasSecret({ properties: { password: { type: 'string' } } })).toBe(false)
  })

  it('are left out at any depth', () => {
    expect(hasSecret(withoutSecrets(input))).toBe(false)
    expect(withoutSecrets(input)).toMatchObject({
      properties: { name: {}, hooks: { items: { properties: { url: {} } } } },
    })
  })

  it('take with them what requires one', () => {
    const pair = { type: 'object', properties: { key: { type: 'string' }, value: maybe } }
    const required = { ...pair, required: ['key', 'value'] }
    const properties = {
      env: { anyOf: [{ type: 'array', items: required }, { type: 'null' }] },
      certificate: { anyOf: [required, { type: 'null' }] },
      pair,
    }
    expect(withoutSecrets({ type: 'object', properties })).toEqual({
      type: 'object',
      properties: { pair: { type: 'object', properties: { key: { type: 'string' } } } },
    })
  })

  it.each([
    [{ password: null }, 'password'],
    [{ name: 'x', hooks: [{ url: 'x' }, { key: 'x' }] }, 'hooks[1].key'],
    [{ either: { token: 'x' } }, 'either.token'],
    [{ name: 'x', other: { password: 'x' } }, undefined],
  ])('in %o: %s', (value, path) => {
    expect(secretIn(input, value)).toBe(path)
  })
})
