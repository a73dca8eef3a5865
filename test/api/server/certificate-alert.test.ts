/** A node whose own certificate has expired says so from its start on, until the file is replaced. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { scrape } from '../../roles/internal/metrics/scrape.ts'
import { newCertificate } from '../../support/certificate.ts'
import { startTestNode } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'

const dayMs = 86_400_000

const readySchema = z.looseObject({ alerts: z.array(z.looseObject({ place: z.string() })) })

it('in the log, at /readyz and in the metrics', { timeout: 60_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-alert-'))
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const place = async (aheadMs: number) => {
    const { cert, key } = await newCertificate('*.localhost', aheadMs)
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)])
  }
  await place(-2.5 * dayMs)
  const node = await startTestNode({
    SVC_EDGE_URL: 'https://localhost',
    SVC_EDGE_TLS_PORT: await freePort(),
    SVC_EDGE_TLS_CERT: certFile,
    SVC_EDGE_TLS_KEY: keyFile,
  })
  onTestFinished(() => node.stop())
  const answer = async () => readySchema.parse(await (await fetch(`${node.apiUrl}/readyz`)).json())
  const alerts = async () => (await answer()).alerts.filter((each) => each.place === certFile)
  const logged = () =>
    node.logged.filter((line) => line.includes('"certificate_expired"') && line.includes(certFile))
  expect(logged()).toHaveLength(1)
  expect(await answer()).toMatchObject({ ready: true, degraded: expect.arrayContaining(['certificate']) })
  expect(await alerts()).toMatchObject([{ name: 'certificate_expired' }])
  const seconds = async () =>
    (await scrape(node)).value('svc_certificate_expires_seconds', { origin: 'file' }) ?? 0
  expect(await seconds()).toBeLessThan(-dayMs / 1_000)
  expect((await scrape(node)).value('svc_alerts', { alert: 'certificate_expired' })).toBeGreaterThan(0)

  await place(0)
  await expect.poll(alerts, { timeout: 30_000 }).toEqual([])
  expect(await seconds()).toBeGreaterThan(0)
  expect(logged()).toHaveLength(2)
})
