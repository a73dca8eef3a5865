/** What `svc.json` may contain, where it is found, and how it is written. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { projectFileSchema } from '../../../src/api/routers/project-file.ts'
import { changedSettings } from '../../../src/cli/project-file/changed-settings.ts'
import {
  findProjectFile,
  parseProjectFile,
  projectFileFields,
} from '../../../src/cli/project-file/project-file.ts'
import { suggestName, writeLink } from '../../../src/cli/project-file/write-project-file.ts'

const parse = (value: unknown) => parseProjectFile(JSON.stringify(value), 'svc.json')

describe('svc.json', () => {
  it('contains a project, a server, a directory and settings', () => {
    const settings = {
      build: { build_command: 'make', root_directory: null },
      spa: true,
      preview_ttl_days: 7,
      start: 'node server.mjs',
      runtime: { idle_s: 60, health_path: null },
    }
    expect(
      parse({ project: 'web', server: 'https://svc.example.com', directory: 'dist', ...settings }),
    ).toEqual({
      project: 'web',
      server: 'https://svc.example.com',
      directory: 'dist',
      settings,
    })
  })

  it('may leave the project to an option', () => {
    expect(parse({ spa: true })).toEqual({ settings: { spa: true } })
  })

  it.each([
    ['no JSON', '{', /^svc\.json is not JSON: /],
    ['no object', '[]', /^svc\.json must be a JSON object/],
    ['an empty project', '{"project":""}', 'svc.json: project: must be a string'],
    ['an unknown field', '{"project":"a","buld":1}', /^svc\.json: buld: unknown field; known are /],
    ['values of env', '{"project":"a","env":[]}', /svc env/],
    ['a project that is not text', '{"project":1}', 'svc.json: project: must be a string'],
    [
      'a server with a path',
      '{"project":"a","server":"https://x/y"}',
      /^svc\.json: server: must be an address/,
    ],
    ['a directory elsewhere', '{"project":"a","directory":"../b"}', /directory: must be a relative path/],
    ['an absolute directory', '{"project":"a","directory":"/b"}', /directory: must be a relative path/],
    ['an unknown build field', '{"project":"a","build":{"command":"x"}}', /build: unknown field command/],
    [
      'a build command that is not text',
      '{"project":"a","build":{"build_command":1}}',
      /build_command is a string/,
    ],
    [
      'a time that is not a number',
      '{"project":"a","runtime":{"idle_s":"1"}}',
      'svc.json: runtime: must be an object whose idle_s is a number or null',
    ],
    ['an unknown part of runtime', '{"project":"a","runtime":{"cpus":1}}', /runtime: unknown field cpus/],
    [
      'an unknown protection',
      '{"project":"a","protection":"some"}',
      'svc.json: protection: must be none, preview, all',
    ],
    ['an invalid boolean', '{"project":"a","spa":"yes"}', 'svc.json: spa: must be true or false'],
  ])('is refused with %s', (_what, content, message) => {
    expect(() => parseProjectFile(content, 'svc.json')).toThrow(message)
  })

  it('has the same fields as its JSON Schema', () => {
    const { properties, required } = projectFileSchema('http://localhost/svc.schema.json')
    expect(Object.keys(properties ?? {}).sort()).toEqual([...projectFileFields].sort())
    expect(required).toBeUndefined()
  })

  it('is found from any folder below', async () => {
    const top = await mkdtemp(join(inject('directory'), 'link-'))
    await mkdir(join(top, 'a/b'), { recursive: true })
    expect(findProjectFile(join(top, 'a/b'))).toBeUndefined()
    await writeFile(join(top, 'svc.json'), '{"project":"web"}')
    expect(findProjectFile(join(top, 'a/b'))).toMatchObject({ project: 'web', folder: top })
    await writeFile(join(top, 'a/svc.json'), '{"project":"inner"}')
    expect(findProjectFile(join(top, 'a/b'))).toMatchObject({ project: 'inner', folder: join(top, 'a') })
  })

  it('keeps its settings when it is linked again', async () => {
    const path = join(await mkdtemp(join(inject('directory'), 'link-')), 'svc.json')
    await writeFile(path, '{"project":"old","server":"https://old.example.com","spa":true}')
    writeLink(path, { project: 'new', server: 'http://localhost:3000', directory: 'dist' })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      $schema: 'http://localhost:3000/svc.schema.json',
      project: 'new',
      directory: 'dist',
      spa: true,
    })
    writeLink(path, { project: 'new', server: 'https://svc.example.com', directory: undefined })
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ server: 'https://svc.example.com' })
  })
})

describe('the settings to change', () => {
  const project = {
    build: { install_command: null, build_command: 'make', output_directory: 'dist', root_directory: '.' },
    protection: 'none',
    auto_promote: true,
    preview_ttl_days: 7,
    spa: false,
    hsts: false,
    branch_addresses: true,
    start: null,
    runtime: {
      memory_bytes: 2 ** 29,
      health_path: '/up',
      idle_s: 900,
      min: 0,
      network: 'none',
      ports: null,
      release: null,
    },
  } as const

  it('are those that differ, where null is the default', () => {
    expect(changedSettings({}, project)).toEqual({})
    expect(
      changedSettings({ spa: null, protection: 'none', auto_promote: null, preview_ttl_days: 7 }, project),
    ).toEqual({})
    expect(changedSettings({ spa: true, preview_ttl_days: null, auto_promote: false }, project)).toEqual({
      spa: true,
      preview_ttl_days: null,
      auto_promote: false,
    })
  })

  it('include the build if any of its fields differs', () => {
    expect(changedSettings({ build: { build_command: 'make', output_directory: null } }, project)).toEqual({})
    const build = { build_command: null }
    expect(changedSettings({ build }, project)).toEqual({ build })
    expect(changedSettings({ build: null }, project)).toEqual({ build: null })
  })

  it('are of the server the parts that differ, since members set only some', () => {
    const runtime = { memory_bytes: 2 ** 29, health_path: '/up', idle_s: null }
    expect(changedSettings({ runtime }, project)).toEqual({})
    expect(changedSettings({ runtime: { ...runtime, health_path: '/ok' } }, project)).toEqual({
      runtime: { health_path: '/ok' },
    })
    expect(changedSettings({ runtime: { health_path: null } }, project)).toEqual({
      runtime: { health_path: null },
    })
    expect(changedSettings({ runtime: null }, project)).toEqual({ runtime: null })
    const initial = { ...project, runtime: { ...project.runtime, health_path: null } }
    expect(changedSettings({ runtime: null }, initial)).toEqual({})
  })
})

it.each([
  ['/home/ada/My Site', 'my-site'],
  ['/x/--', 'site'],
  ['/x/ab--cd', 'ab-cd'],
  [`/x/${'long-'.repeat(20)}`, 'long-long-long-long-long-long-long-long'],
])('suggests for the folder %s the name %s', (folder, name) => {
  expect(suggestName(folder)).toBe(name)
})
