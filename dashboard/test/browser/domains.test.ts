/** A domain from its claim to its proof, and its records. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { certificates } from '../../../src/stores/db/schema/certificates.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { claim } from '../../../test/support/claims.ts'
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts'
import { startTestNode, type TestNode, unique } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, settled, type Visitor } from './chromium.ts'

let dns: DnsServer
let node: TestNode
let team: TestTeam
let page: Visitor['page']
let goTo: Visitor['visit']
let domain: string

beforeAll(async () => {
  dns = await startDnsServer()
  node = await startTestNode({
    SVC_ROLES: 'api,edge',
    SVC_DASHBOARD: 'on',
    SVC_RESOLVERS: dns.address,
  })
})

beforeEach(async () => {
  team = await newTeam(node)
  domain = `${unique('site')}.com`
  await team.owner('PUT', '/v1/projects/web', {})
  const visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
  goTo = visitor.visit
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
  await dns.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

it('a domain is added, shows the records to add, and is proven by a check', async () => {
  await goTo(`/${team.slug}/~/domains`)
  await settled(page)
  await button('Add domain').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('not a name')
  await dialog.getByRole('combobox', { name: 'Project' }).fill('web')
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill(domain)
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await page.waitForURL(`**/domains/${domain}`)
  const proof = page.getByRole('table', { name: 'Proof' })
  const value = (await proof.getByText('svc-verify=').textContent()) ?? ''
  await proof.getByRole('button', { name: 'Copy the value' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const labels = (await proof.getByRole('row').last().innerText()).split('\n').map((line) => line.trim())
  expect(labels.filter((line) => ['Type', 'Name', 'Value', 'Seen'].includes(line))).toEqual([
    'Name',
    'Value',
    'Seen',
  ])
  if (wide) await page.setViewportSize(wide)
  dns.set(`_svc.${domain}`, 'TXT', [value])
  await button('Check now').click()
  await page.getByText('Not verified').waitFor({ state: 'detached' })
  expect((await team.owner('GET', `/v1/domains/${domain}`)).body.verified).toBe(true)
})

it('a record is checked as one types, added, edited in place, and deleted', async () => {
  await team.owner('PUT', `/v1/domains/${domain}`, { project: 'web' })
  await goTo(`/${team.slug}/~/domains/${domain}?tab=records`)
  await settled(page)
  await button('Add record').click()
  const form = page.getByRole('form', { name: 'Add record' })
  await form.getByLabel('Name', { exact: true }).fill('mail')
  await form.getByLabel('Value').or(form.getByLabel('Address')).first().fill('192.0.2.256')
  await form.getByText(/must be an IPv4 address/).waitFor()
  await form.getByLabel('Value').or(form.getByLabel('Address')).first().fill('192.0.2.1')
  await form.getByRole('button', { name: 'Add record' }).click()
  const row = page.getByRole('row').filter({ hasText: 'mail' })
  await row.getByText('192.0.2.1').waitFor()
  await row.getByRole('button', { name: /^Edit/ }).click()
  const editor = page.getByRole('form').filter({ has: page.getByRole('button', { name: 'Save' }) })
  await editor.getByLabel('Value').or(editor.getByLabel('Address')).first().fill('192.0.2.2')
  await editor.getByRole('button', { name: 'Save' }).click()
  await row.getByText('192.0.2.2').waitFor()
  const { body } = await team.owner('GET', `/v1/domains/${domain}/records`)
  expect(body.data).toContainEqual(expect.objectContaining({ name: 'mail', value: '192.0.2.2' }))
})

it('a zone file is compared with the zone before it is applied', async () => {
  await team.owner('PUT', `/v1/domains/${domain}`, { project: 'web' })
  await team.owner('POST', `/v1/domains/${domain}/records`, { name: 'old', type: 'A', value: '192.0.2.1' })
  await goTo(`/${team.slug}/~/domains/${domain}?tab=records`)
  await settled(page)
  await button('Import').click()
  await page.getByLabel('Zone file', { exact: true }).fill(`new 300 IN A 192.0.2.9\n`)
  await button('Preview').click()
  const changes = page.getByLabel('Changes', { exact: true })
  await changes.getByText('192.0.2.9').waitFor()
  await changes.getByText('192.0.2.1', { exact: false }).first().waitFor()
  await button('Apply 2 changes').click()
  await page.getByRole('row').filter({ hasText: 'new' }).getByText('192.0.2.9').waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'old' }).count()).toBe(0)
})

it('an HTTPS record is added with its priority', async () => {
  await team.owner('PUT', `/v1/domains/${domain}`, { project: 'web' })
  await goTo(`/${team.slug}/~/domains/${domain}?tab=records`)
  await settled(page)
  await button('Add record').click()
  const form = page.getByRole('form', { name: 'Add record' })
  await form.getByLabel('Name', { exact: true }).fill('@')
  await form.getByLabel('Type', { exact: true }).selectOption('HTTPS')
  await form.getByLabel('Priority').fill('1')
  await form.getByLabel('Value').fill('. alpn=')
  await form.getByText(/must have names of protocols/).waitFor()
  await form.getByLabel('Value').fill('. alpn=h2,h3')
  await form.getByRole('button', { name: 'Add record' }).click()
  await page.getByRole('row').filter({ hasText: '1 . alpn=h2,h3' }).waitFor()
})

it('a zone file is imported without the lines that can not be, each shown', async () => {
  await team.owner('PUT', `/v1/domains/${domain}`, { project: 'web' })
  await goTo(`/${team.slug}/~/domains/${domain}?tab=records`)
  await settled(page)
  await button('Import').click()
  await page.getByLabel('Zone file', { exact: true }).fill('a DNAME b\nnew 300 IN TXT "x=1" "y=2"\n')
  await button('Preview').click()
  await page.getByText(/^line 1: DNAME records can't be kept/).waitFor()
  await button('Preview without these lines').click()
  await page.getByLabel('Changes', { exact: true }).getByText('new 300 TXT "x=1" "y=2"').waitFor()
  await page.getByText('Skipped: 1 line').click()
  await page.getByText(/^line 1: DNAME records can't be kept/).waitFor()
  await button('Apply 1 change').click()
  await page.getByRole('row').filter({ hasText: 'new' }).getByText('"x=1" "y=2"').waitFor()
})

it('the certificate of a domain, and why there is none', async () => {
  const { db } = node.installation.store
  const add = async (row: Partial<typeof certificates.$inferInsert>) => {
    const name = `${unique('site')}.com`
    const domainId = await claim(node, team, name, { proven: true, project: projectId })
    await db
      .update(domains)
      .set({ configured: true, certificateWanted: true })
      .where(eq(domains.id, domainId))
    await db.insert(certificates).values({ name, source: 'acme', domainId, teamId: team.id, ...row })
    return name
  }
  const { id: projectId } = (await team.owner('GET', '/v1/projects/web')).body
  const notAfterMs = Date.UTC(2199, 0, 15, 12)
  const valid = await add({ chain: 'a chain', notBeforeMs: Date.now(), notAfterMs })
  const failed = await add({ errorReason: 'validation_failed', errorMessage: 'Nothing was found there.' })
  await goTo(`/${team.slug}/~/domains`)
  await settled(page)
  await page.getByRole('row').filter({ hasText: valid }).getByText('Active').waitFor()
  await page.getByRole('row').filter({ hasText: failed }).getByText('No certificate').waitFor()
  await page.getByRole('link', { name: failed }).click()
  await page.getByText('Nothing was found there.').waitFor()
  await goTo(`/${team.slug}/~/domains/${valid}`)
  await page.getByText('a certificate, valid until 15 Jan 2199.').waitFor()
})
