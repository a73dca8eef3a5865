/**
 * What deploy/ starts nodes with: settings that exist, and this version. Its tools judge the rest, in
 * tools/deploy-*.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentSchema } from '../../src/lib/settings/variables.ts'
import { version } from '../../src/lib/version.ts'

const texts = readdirSync('deploy', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Those of the command, which jobs of continuous integration set. */
const ofCommand = ['SVC_URL', 'SVC_TEAM', 'SVC_TOKEN', 'SVC_OIDC_TOKEN']

it('sets nothing that is no setting, and in jobs nothing that the command does not read', () => {
  const settings = Object.keys(environmentSchema.shape)
  const used = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/\bSVC_[A-Z\d_]+/g)].map(([name]) => ({ path, name })),
  )
  const isKnown = ({ path, name }: { path: string; name: string }) =>
    (path.startsWith(join('deploy', 'ci')) ? ofCommand : settings).includes(name)
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((each) => !isKnown(each))).toEqual([])
})

it('runs the image of this version', () => {
  const images = texts.flatMap(({ text }) => [...text.matchAll(/\bimage: svc:(\S+)/g)].map(([, tag]) => tag))
  expect(images).toHaveLength(5)
  expect(new Set(images)).toEqual(new Set([version]))
})

it('lets no client take a node away: proxies judge nodes by checks, not by failed requests', () => {
  const directives = texts
    .filter(({ path }) => /Caddyfile|haproxy\.cfg/.test(path))
    .flatMap(({ text }) => text.split('\n').filter((line) => !line.trimStart().startsWith('#')))
  const words = directives.flatMap((line) => line.trim().split(/\s+/))
  expect(words).toContain('health_uri')
  expect(words).toContain('http-check')
  const passive = /^(?:fail_duration|max_fails|unhealthy_\w+|observe|error-limit|on-error|max_conns)$/
  expect(words.filter((word) => passive.test(word))).toEqual([])
})

it('has no password that would work', () => {
  const assignments = texts.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /^\s*(?:- )?(\w*(?:PASSWORD|SECRET|ENCRYPTION_KEY|ACCESS_KEY)\w*)\s*[:=][ \t]*(.*)$/gm,
      ),
    ].map(([, name, value = '']) => ({ path, name, value })),
  )
  expect(assignments.length).toBeGreaterThan(15)
  expect(assignments.filter(({ value }) => !/^(?:|''|\$\{\w+:\?[^}]*\})$/.test(value))).toEqual([])
})
