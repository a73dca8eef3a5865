/**
 * The lock files contain what `npm ci` needs on every system, and install scripts are declared so that npm
 * warns of none.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      hasInstallScript: z.boolean().optional(),
      integrity: z.string().optional(),
      /** Within another package's archive. */
      inBundle: z.boolean().optional(),
    }),
  ),
})
const manifestSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()) })

/** The places where a package at this place in the lock would look for another, nearest first. */
function placesFrom(place: string, name: string): string[] {
  const own = `${place === '' ? '' : `${place}/`}node_modules/${name}`
  const cut = place.lastIndexOf('node_modules/')
  return cut < 0 ? [own] : [own, ...placesFrom(place.slice(0, Math.max(0, cut - 1)), name)]
}

it.each([
  { directory: '.', known: 'esbuild' },
  { directory: 'tools', known: '@biomejs/biome' },
  { directory: 'dashboard', known: '@tailwindcss/oxide' },
])('$directory/package-lock.json has every package of other systems', ({ directory, known }) => {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(`${directory}/package-lock.json`, 'utf8')))
  const optional = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ place, name })),
  )
  expect(optional.filter(({ place }) => place === `node_modules/${known}`).length).toBeGreaterThan(5)
  const missing = optional.filter(
    ({ place, name }) => !placesFrom(place, name).some((each) => packages[each]),
  )
  expect(missing).toEqual([])
  const unsigned = Object.entries(packages).filter(
    ([place, { integrity, inBundle }]) => place !== '' && !integrity && !inBundle,
  )
  expect(unsigned.map(([place]) => place)).toEqual([])
})

it.each(['.', 'tools', 'dashboard'])(
  '%s/package.json declares every package with an install script',
  (directory) => {
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(`${directory}/package-lock.json`, 'utf8')))
    const { allowScripts } = manifestSchema.parse(
      JSON.parse(readFileSync(`${directory}/package.json`, 'utf8')),
    )
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = scripted.flatMap(([place]) =>
      place === '' ? [] : (place.split('node_modules/').at(-1) ?? []),
    )
    expect([...new Set(names)].sort()).toEqual(Object.keys(allowScripts).sort())
  },
)
