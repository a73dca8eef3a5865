/** A build whose network is `registries` installs packages, and reaches nothing else. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Registries } from '../../../../src/platform/sandbox/registries/proxy.ts'
import { build, exited, testTimeout } from '../../builds/build.ts'
import { type NpmRegistry, registryName, startNpmRegistry } from '../registries/npm-registry.ts'

vi.setConfig({ testTimeout })

let registry: NpmRegistry
let network: Registries

beforeAll(async () => {
  registry = await startNpmRegistry()
  network = {
    hosts: [{ name: registryName, port: registry.port }],
    resolve: async () => ['127.0.0.1'],
    allowPrivate: true,
  }
})
afterAll(() => registry.close())

describe('a build with access to registries', () => {
  it('installs packages', async () => {
    const { ended, text } = await build(
      'npm install --cafile ca.pem --fetch-retries 0 && node -p "require(\'greeting\')"',
      {
        network,
        files: {
          'ca.pem': registry.ca,
          '.npmrc': `registry=https://${registryName}:${registry.port}/\n`,
          'package.json': JSON.stringify({ dependencies: { greeting: '^1.0.0' } }),
        },
      },
    )
    expect([ended, text]).toEqual([exited(0), expect.stringMatching(/added 1 package.*hello$/s)])
  })

  it('reaches no other host, and its log names the one that it tried', async () => {
    const { ended, lines } = await build(
      'npm view left-pad --registry https://packages.example.com/ --fetch-retries 0 >&2',
      { network },
    )
    expect(ended).not.toEqual(exited(0))
    const text = 'Refused: packages.example.com:443 is not in SVC_BUILD_HOSTS.'
    expect(lines).toContainEqual({ text, stream: 'stderr', timeMs: expect.any(Number) })
  })

  it('has no other network', async () => {
    const script = `
      const { networkInterfaces } = require('node:os')
      const { connect } = require('node:net')
      console.log(Object.keys(networkInterfaces()).join())
      connect(${registry.port}, '127.0.0.1').on('error', ({ code }) => console.log(code))`
    const { text } = await build('node try.cjs', { network, files: { 'try.cjs': script } })
    expect(text).toBe('lo\nECONNREFUSED')
  })

  it('starts the relay to them with its own Node, whatever the project’s variables are', async () => {
    const { ended, text } = await build('echo "$HTTPS_PROXY" "$NO_PROXY"', {
      network,
      env: { NODE_OPTIONS: '--require /no/such/file', LD_PRELOAD: '/no/such/file' },
      redactor: { redact: (line) => line, longest: 0 },
    })
    expect([ended, text]).toEqual([
      exited(0),
      expect.stringMatching(/http:\/\/127\.0\.0\.1:\d+ localhost,127\.0\.0\.1,::1$/),
    ])
  })

  it('names them to Yarn by its own variables, since it reads no others', async () => {
    const same = '[ "$YARN_HTTPS_PROXY" = "$HTTPS_PROXY" ] && [ "$YARN_HTTP_PROXY" = "$HTTP_PROXY" ]'
    const { ended } = await build(`[ -n "$HTTPS_PROXY" ] && ${same}`, { network })
    expect(ended).toEqual(exited(0))
  })
})
