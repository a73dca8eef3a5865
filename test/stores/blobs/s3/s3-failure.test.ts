import { expect, it } from 'vitest'
import { isMissing, S3Error } from '../../../../src/stores/blobs/s3/s3-failure.ts'

it.each([
  ['GET', 'NoSuchKey', true],
  ['PUT', 'NoSuchKey', true],
  ['GET', 'BlobNotFound', true],
  ['GET', 'NoSuchBucket', false],
  ['GET', 'NoSuchUpload', false],
  ['GET', 'InvalidObjectState', false],
  ['GET', 'HTML page', false],
  ['GET', '', false],
  ['HEAD', '', true],
  ['HEAD', 'HTML page', false],
  ['DELETE', '', true],
  ['DELETE', 'NoSuchUpload', true],
])('404 to %s with the code %j means that the object is missing: %s', (method, code, expected) => {
  expect(isMissing(new S3Error(404, code, ''), method)).toBe(expected)
  expect(isMissing(new S3Error(403, code, ''), method)).toBe(false)
})
