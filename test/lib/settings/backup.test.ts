import { expect, it } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'

const hourMs = 3_600_000

it('a directory or a bucket, and how often', () => {
  expect(parseSettings({ SVC_BACKUP_EVERY: '24h', SVC_BACKUP_TO: '/var/backups/svc' })).toMatchObject({
    SVC_BACKUP_EVERY: 24 * hourMs,
    SVC_BACKUP_TO: { kind: 'directory', place: '/var/backups/svc' },
    SVC_BACKUP_KEEP: 7,
  })
  expect(parseSettings({ SVC_BACKUP_EVERY: '30m', SVC_BACKUP_TO: 's3://my-bucket/svc' })).toMatchObject({
    SVC_BACKUP_EVERY: hourMs / 2,
    SVC_BACKUP_TO: { kind: 'bucket', place: 's3://my-bucket/svc' },
  })
})

const to = { SVC_BACKUP_TO: '/var/backups/svc' }

it.each<[string, Record<string, string>, string]>([
  ['no place', { SVC_BACKUP_EVERY: '24h' }, 'SVC_BACKUP_TO is required with SVC_BACKUP_EVERY'],
  ['a place alone', to, 'SVC_BACKUP_TO is set without SVC_BACKUP_EVERY'],
  ['no unit', { ...to, SVC_BACKUP_EVERY: '24' }, 'a span from 1m to 90d'],
  ['too often', { ...to, SVC_BACKUP_EVERY: '0m' }, 'a span from 1m to 90d'],
  ['too rarely', { ...to, SVC_BACKUP_EVERY: '91d' }, 'a span from 1m to 90d'],
  ['another address', { SVC_BACKUP_EVERY: '1d', SVC_BACKUP_TO: 'ftp://a/b' }, 'a directory, or a bucket'],
  [
    'the data directory',
    { SVC_DATA_DIR: '/data', SVC_BACKUP_EVERY: '1d', SVC_BACKUP_TO: '/data' },
    'is in SVC_DATA_DIR',
  ],
  [
    'a directory in it',
    { SVC_DATA_DIR: '/data', SVC_BACKUP_EVERY: '1d', SVC_BACKUP_TO: '/data/../data/backups' },
    'is in SVC_DATA_DIR',
  ],
])('not %s', (_, environment, message) => {
  expect(() => parseSettings(environment)).toThrow(message)
})

it('a directory beside it is fine', () => {
  const settings = { SVC_DATA_DIR: '/data', SVC_BACKUP_EVERY: '1d', SVC_BACKUP_TO: '/data-backups' }
  expect(parseSettings(settings).SVC_BACKUP_TO).toMatchObject({ place: '/data-backups' })
})
