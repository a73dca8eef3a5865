/** A page that is opened can't reach the window of the dashboard. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('one function and one kind of link open windows', () => {
  const files = ['dashboard/src', 'src/api/server'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `${root}/${path}`),
  )
  const opening = files
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => /window\.open|\bopen\(['"`]https?:|_blank/.test(readFileSync(path, 'utf8')))
  expect(opening.sort()).toEqual(['dashboard/src/lib/visit.ts', 'dashboard/src/ui/visit-link.tsx'])
  expect(readFileSync('dashboard/src/lib/visit.ts', 'utf8')).toContain(
    "window.open(url, '_blank', 'noopener')",
  )
  expect(readFileSync('dashboard/src/ui/visit-link.tsx', 'utf8')).toMatch(/target="_blank"\s+rel="noopener"/)
})
