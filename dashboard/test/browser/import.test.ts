/** A project that begins with a repository: from its address to the site that is live. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { visit } from '../../../test/platform/deployments/steps.ts'
import { startForgeNodes } from '../../../test/platform/forges/steps.ts'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import { newSession } from '../../../test/support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

vi.setConfig({ testTimeout: 60_000 })

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let team: TestTeam
let visitor: Visitor
let page: Visitor['page']

beforeAll(async () => {
  nodes = await startForgeNodes({ SVC_DASHBOARD: 'on' })
  await nodes.forge.commit({ 'index.html': 'from the repository' }, 'trunk')
  await nodes.forge.commit({ 'index.html': 'from next' }, 'next')
  await nodes.forge.tree.git('checkout', '--quiet', 'trunk')
}, 60_000)

beforeEach(async () => {
  nodes.forge.switches = {}
  team = await newTeam(nodes.node)
  visitor = await newVisitor(nodes.node, { session: await newSession(nodes.node, team.ownerId) })
  page = visitor.page
})

afterAll(async () => {
  await closeChromium()
  await nodes?.stop()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByLabel(name)
const projectOf = async (name: string) => (await team.owner('GET', `/v1/projects/${name}`)).body

async function openImport(): Promise<void> {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await button('Import a repository').click()
  await field('Address').fill(nodes.forge.url)
  await field('Kind of forge').selectOption('Gitea or Forgejo')
}

it('is made on the first page, deployed at once, and says what to paste at the forge', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openImport()
  expect(await field('Project').inputValue()).toBe('site')
  await field('Project').fill('Shop')
  expect(await axeViolations(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  await button('Import').click()
  await dialog().getByText('Live', { exact: true }).waitFor()
  const { id, production_url, git } = await projectOf('shop')
  expect((await visit(production_url)).body).toBe('from the repository')
  expect(git).toMatchObject({ provider: 'gitea', production_branch: 'trunk', secret_set: true })
  await dialog().getByRole('button', { name: 'Copy: Target URL' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(`${nodes.node.apiUrl}/hooks/git/${id}`)
  await dialog().getByRole('button', { name: 'Copy: Secret' }).click()
  await expect.poll(copied).toMatch(/^whsec_/)
  knowSecret('the secret of a repository', await copied())
  expect(await axeViolations(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  await button('I have copied it').click()
  await page.waitForURL(`**/${team.slug}/shop`)
  // The name of the project was looked up before it was made.
  expect(visitor.problems().filter((problem) => !problem.includes('404'))).toEqual([])
})

it('has a directory of the repository alone, with what else is watched', async () => {
  await openImport()
  expect(await field('Also watch').count()).toBe(0)
  await field('Directory').fill('apps/web')
  expect(await field('Project').inputValue()).toBe('web')
  await field('Also watch').fill('../ui')
  await button('Import').click()
  await dialog().getByRole('alert').getByText('"../ui" must not contain a .. segment').waitFor()
  await field('Also watch').fill('packages/ui\n\npackage-lock.json')
  await button('Import').click()
  const secret = dialog().getByText(/^whsec_/)
  knowSecret('the secret of a repository', await secret.innerText())
  expect((await projectOf('web')).git).toMatchObject({
    root_directory: 'apps/web',
    watch: ['packages/ui', 'package-lock.json'],
  })
})

it('is not made of what cannot be read: the field says why', async () => {
  nodes.forge.switches = { credentials: 'svc:the-token-of-the-forge' }
  await openImport()
  await button('Import').click()
  await dialog().getByText('needs a token').waitFor()
  await field('Token').fill('the-token-of-the-forge')
  await field('Production branch').fill('gone')
  await button('Import').click()
  await dialog().getByText('is not in the repository: its default branch is trunk').waitFor()
  expect((await team.owner('GET', '/v1/projects/site')).status).toBe(404)
  await field('Production branch').fill('next')
  await button('Import').click()
  await dialog().getByText('Live', { exact: true }).waitFor()
  const { production_url, git } = await projectOf('site')
  expect((await visit(production_url)).body).toBe('from next')
  expect(git).toMatchObject({ production_branch: 'next', production_branch_by: 'owner', token_set: true })
  knowSecret(
    'the secret of a repository',
    await dialog()
      .getByText(/^whsec_/)
      .innerText(),
  )
})

it('is below Deploy once there are projects, takes no name that is there, and is for owners', async () => {
  await team.owner('PUT', '/v1/projects/site', {})
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await button('Deploy').click()
  await page.getByRole('menuitem', { name: 'A repository…' }).click()
  await field('Address').fill(nodes.forge.url)
  await field('Kind of forge').selectOption('Gitea or Forgejo')
  await button('Import').click()
  await dialog().getByText('Project is there already').waitFor()
  expect((await projectOf('site')).git.url).toBe(null)

  const { userId } = await addMember(nodes.node, team)
  const member = await newVisitor(nodes.node, { session: await newSession(nodes.node, userId) })
  await member.visit(`/${team.slug}`)
  await settled(member.page)
  await member.page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await member.page.getByRole('menuitem', { name: 'A zip…' }).waitFor()
  expect(await member.page.getByRole('menuitem', { name: 'A repository…' }).count()).toBe(0)
})

it('is deployed again by a button of its settings, and after connecting there', async () => {
  await team.owner('PUT', '/v1/projects/web', {})
  await visitor.visit(`/${team.slug}/web/settings`)
  await settled(page)
  await button('Connect').click()
  await field('Address').fill(`${nodes.forge.url.replace(/\.git$/, '')}-of-nobody`)
  await field('Kind of forge').selectOption('Gitea or Forgejo')
  await dialog().getByRole('button', { name: 'Connect' }).click()
  await dialog().getByText('Address leads to no repository').waitFor()
  expect((await projectOf('web')).git.url).toBe(null)
  await field('Address').fill(nodes.forge.url)
  await dialog().getByRole('button', { name: 'Connect' }).click()
  await dialog().getByText('Live', { exact: true }).waitFor()
  knowSecret(
    'the secret of a repository',
    await dialog()
      .getByText(/^whsec_/)
      .innerText(),
  )
  const first = (await projectOf('web')).production_deployment
  await button('I have copied it').click()
  await page.getByText('Empty: sources that are pushed are built as their framework needs').waitFor()
  await page.getByText('The last deployment was served as it was sent.').waitFor()
  await button('Deploy trunk now').click()
  await page.getByText('trunk is fetched.').waitFor()
  await expect.poll(async () => (await projectOf('web')).production_deployment).not.toBe(first)
})
