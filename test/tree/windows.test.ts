/** A page that is opened can't reach the window of the dashboard. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('only one function opens windows, and no link does', () => {
  const files = ['dashboard/src', 'src/api/server'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `${root}/${path}`),
  )
  const opening = files
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => /window\.open|\bopen\(['"`]https?:|_blank/.test(readFileSync(path, 'utf8')))
  expect(opening).toEqual(['dashboard/src/lib/visit.ts'])
  expect(readFileSync('dashboard/src/lib/visit.ts', 'utf8')).toContain(
    "window.open(url, '_blank', 'noopener')",
  )
})
