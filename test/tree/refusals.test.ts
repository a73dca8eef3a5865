/** A refusal whose sentence must not tell more to one caller than to another has one place. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const places = [
  { reason: 'unauthorized', file: 'platform/callers/unauthorized.ts' },
  { reason: 'team_not_found', file: 'platform/callers/team-not-found.ts' },
]

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

it.each(places)('every sentence of $reason stands in $file', ({ reason, file }) => {
  const thrown = new RegExp(`AppError\\(\\s*'${reason}'`)
  expect(files.filter((name) => thrown.test(readFileSync(`src/${name}`, 'utf8')))).toEqual([file])
})
