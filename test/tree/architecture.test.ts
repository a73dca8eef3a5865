/** ARCHITECTURE.md names every room of `src`, and only files that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { floors } from './layers.ts'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

it('has a row for each room of src', () => {
  const rows = [...text.matchAll(/^\| (?:`([\w-]+)`)? ?\|([^|]*)\| [^|]+ \|$/gm)]
  let wing = ''
  const named = rows.flatMap(([, next, rooms = '']) => {
    wing = next ?? wing
    const names = [...rooms.matchAll(/`([^`]+)`/g)].map(([, room = '']) => `${wing}/${room}`)
    return names.length > 0 ? names : [wing]
  })
  expect(named.sort()).toEqual(
    floors
      .flat()
      .filter((room) => room !== 'main.ts')
      .sort(),
  )
})

it('names only files that exist in its walks', () => {
  const paths = [...text.matchAll(/`((?:src|test|checks)\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})
