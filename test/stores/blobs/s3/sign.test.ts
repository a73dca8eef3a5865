import { sign as signIndependently } from 'aws4'
import { describe, expect, it } from 'vitest'
import { createSigner, emptySha256, encodePath, queryText } from '../../../../src/stores/blobs/s3/sign.ts'

/** Of the examples in the AWS documentation, "Signature Calculations for the Authorization Header". */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const host = 'examplebucket.s3.amazonaws.com'
const nowMs = Date.UTC(2013, 4, 24)

describe('a signature', () => {
  const { sign } = createSigner(credentials, 'us-east-1')
  const get = { method: 'GET', host, path: '/', headers: {}, bodySha256: emptySha256 }

  it('is that of the documented list of objects', () => {
    const { authorization } = sign({ ...get, query: { prefix: 'J', 'max-keys': '2' } }, nowMs)
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
        'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  it.each([
    ['a path with signs', { path: encodePath("/a b/ü+!'()*~.-_") }, {}],
    ['parameters with signs and without values', {}, { 'a b': "ü/!'()*", uploads: '', b: '+&=' }],
    ['another method', { method: 'PUT' }, {}],
  ])('is what another implementation computes for %s', (_, change, query) => {
    const request = { ...get, query, ...change }
    const { authorization, ...headers } = sign(request, nowMs)
    const text = queryText(query)
    const path = text === '' ? request.path : `${request.path}?${text}`
    const again = signIndependently(
      { service: 's3', region: 'us-east-1', method: request.method, path, headers, host },
      credentials,
    )
    expect(authorization).toBe(again.headers?.Authorization)
  })

  it('covers a session token, and changes with the day', () => {
    const { sign: temporary } = createSigner({ ...credentials, sessionToken: 'token' }, 'us-east-1')
    const headers = temporary({ ...get, query: {} }, nowMs)
    expect(headers['x-amz-security-token']).toBe('token')
    expect(headers.authorization).toContain('x-amz-security-token')
    const day = 24 * 60 * 60_000
    const texts = [0, day, 0].map((ms) => sign({ ...get, query: {} }, nowMs + ms).authorization)
    expect(texts[0]).toBe(texts[2])
    expect(texts[0]).not.toBe(texts[1])
  })
})
