import { expect, it } from 'vitest'
import {
  type Description,
  parseDescription,
  writeDescription,
} from '../../../src/operate/backup/description.ts'
import { sha256 } from '../../platform/deployments/steps.ts'

const file = { file: 'files.gz', bytes: 1, sha256: 'a'.repeat(64) }

const description: Description = {
  format: 1,
  svc: '0.1.0',
  migration: '0001_first',
  installation: 'an id',
  taken_at: '2026-01-31T12:00:00.000Z',
  engine: 'pglite',
  encryption_key: { check: 'check', included: false },
  files: {
    kept: 'copied',
    location: '/blobs',
    count: 2,
    bytes: 3,
    missing: [],
    missing_count: 0,
    list: file,
  },
  tables: [{ name: 'teams', columns: ['id'], rows: 1, ...file, file: 'tables/teams.gz' }],
  sequences: [{ name: 'blobs_id_seq', value: '17' }],
}

const text = writeDescription(description)

const byName = (_key: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

it('is read as it was written, in whatever order a program has written it', () => {
  expect(parseDescription(text, 'backup.json')).toEqual(description)
  const reordered = Object.fromEntries(Object.entries(JSON.parse(text)).reverse())
  expect(parseDescription(JSON.stringify(reordered), 'backup.json')).toEqual(description)
})

it.each([
  ['is cut off', text.slice(0, -20)],
  ['is empty', ''],
  ['is something else', '{"format": 1}'],
  ['has another number', text.replace('"value": "17"', '"value": "16"')],
  ['has another id', text.replace('an id', 'no id')],
  ['lacks an entry', text.replace(/"sequences": \[[^\]]*\]/, '"sequences": []')],
])('is refused by name when it %s', (_, damaged) => {
  expect(damaged).not.toBe(text)
  expect(() => parseDescription(damaged, '/backups/x/backup.json')).toThrow(
    '/backups/x/backup.json is damaged',
  )
})

const [teams] = description.tables
const list = { ...file, file: '../../files.gz' }
it.each([
  ['a table’s rows', { tables: [{ ...teams, file: '../../other/tables/teams.gz' }] }],
  ['the rows of another table', { tables: [{ ...teams, name: 'users' }] }],
  ['a table whose name is a path', { tables: [{ ...teams, name: '../x', file: 'tables/../x.gz' }] }],
  ['a table twice', { tables: [teams, teams] }],
  ['the list of files', { files: { ...description.files, list } }],
])('is refused when it has %s from where no backup has it', (_, change) => {
  const crafted = { ...description, ...change }
  expect(() => writeDescription(crafted as Description)).toThrow()
  const written = JSON.stringify({ ...crafted, sha256: sha256(JSON.stringify(crafted, byName)) })
  expect(() => parseDescription(written, 'backup.json')).toThrow('was written by another version of svc')
})

it('of another format is refused, with what to do', () => {
  const { sha256: _, ...content } = { ...JSON.parse(text), format: 2 }
  const newer = JSON.stringify({ ...content, sha256: sha256(JSON.stringify(content, byName)) })
  expect(() => parseDescription(newer, 'backup.json')).toThrow(
    'backup.json was written by another version of svc: restore it with that version.',
  )
})
