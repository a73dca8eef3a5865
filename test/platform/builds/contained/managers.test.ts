/** A package manager is fetched in a sandbox, by the way to registries that the build has. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { provideManager } from '../../../../src/platform/builds/managers/provide-manager.ts'
import { giveToOwner } from '../../../../src/platform/sandbox/workspace.ts'
import { type NpmRegistry, registryName, startNpmRegistry } from '../../sandbox/registries/npm-registry.ts'
import { build, exited, newWorkspace, testTimeout } from '../build.ts'

vi.setConfig({ testTimeout })

let registry: NpmRegistry

beforeAll(async () => {
  registry = await startNpmRegistry([
    {
      name: 'pnpm',
      version: '10.27.0',
      bin: { pnpm: 'pnpm' },
      files: { pnpm: '#!/bin/sh\necho "pnpm $*"\n' },
    },
  ])
})
afterAll(() => registry.close())

it('it is run by the user of the build', async () => {
  const network = {
    hosts: [{ name: registryName, port: registry.port }],
    resolve: async () => ['127.0.0.1'],
    allowPrivate: true,
  }
  const workspace = await newWorkspace('bubblewrap')
  const files = {
    'ca.pem': registry.ca,
    '.npmrc': `registry=https://${registryName}:${registry.port}/\ncafile=/workspace/ca.pem\n`,
    'package.json': '{"packageManager":"pnpm@10.27.0"}',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace.files, name), text)
  await giveToOwner(workspace)
  await provideManager(workspace, '.', { isolation: 'bubblewrap', network, node: process.execPath })
  const { ended, text } = await build('pnpm install', { workspace, network })
  expect([ended, text]).toEqual([exited(0), 'Fetching pnpm 10.27.0…\npnpm install'])
})
