import { describe, expect, it } from 'vitest'
import { keepsResponse, type ProcedureMeta } from '../../../src/api/trpc/procedure-meta.ts'

const rest = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  more: { keepsResponse?: false } = {},
): ProcedureMeta => ({
  role: 'member',
  limited: 'same',
  openapi: { method, path: '/v1/things' },
  ...more,
})

describe('a response is stored for a repeat', () => {
  it.each<[string, ProcedureMeta, boolean]>([
    ['of a POST', rest('POST'), true],
    ['of a POST whose response is nothing but a secret', rest('POST', { keepsResponse: false }), false],
    ['of a GET', rest('GET'), false],
    ['of a PUT', rest('PUT'), false],
    ['of a DELETE', rest('DELETE'), false],
    ['of a procedure outside the REST API', { role: 'member', limited: 'same' }, false],
  ])('%s', (_what, meta, kept) => {
    expect(keepsResponse(meta)).toBe(kept)
  })
})
