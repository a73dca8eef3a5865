/**
 * What a scanner finds at the port of HTTPS.
 * @module-tag long
 */
import { execFile, execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newCertificate } from '../../support/certificate.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'

function isInstalled(): boolean {
  try {
    execFileSync('sslscan', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!isInstalled() && !process.env.CI)('sslscan', () => {
  let node: TestNode
  let tlsPort: string

  beforeAll(async () => {
    tlsPort = await freePort()
    const { cert, key } = await newCertificate('*.localhost')
    const place = join(inject('directory'), unique('scanned'))
    await writeFile(`${place}.crt`, cert)
    await writeFile(`${place}.key`, key)
    node = await startTestNode({
      SVC_EDGE_TLS_PORT: tlsPort,
      SVC_EDGE_TLS_CERT: `${place}.crt`,
      SVC_EDGE_TLS_KEY: `${place}.key`,
    })
  })
  afterAll(() => node.stop())

  it('finds today’s versions and suites alone, and none of the known weaknesses', async () => {
    const args = ['--no-colour', '--sni-name=site.localhost', `127.0.0.1:${tlsPort}`]
    const { stdout: report } = await promisify(execFile)('sslscan', args)
    const enabled = [...report.matchAll(/^((?:SSL|TLS)v[\d.]+)\s+enabled$/gm)].map(([, version]) => version)
    expect(enabled).toEqual(['TLSv1.2', 'TLSv1.3'])
    const suites = [...report.matchAll(/^(?:Preferred|Accepted)\s+TLSv\S+\s+\d+ bits\s+(\S+)/gm)].map(
      ([, name]) => name,
    )
    expect(suites.length).toBeGreaterThan(4)
    for (const suite of suites) expect(suite).toMatch(/^TLS_|^ECDHE-\w+-(?:AES\d+-GCM|CHACHA20)/)
    expect(report).not.toContain('Compression enabled')
    expect(report).not.toMatch(/\bvulnerable to heartbleed\b(?<!not vulnerable to heartbleed)/)
    expect(report).not.toMatch(/Insecure session renegotiation/i)
  })
})
