/**
 * Several people in a team: what each sees, and when.
 *
 * @module-tag long
 */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { members, teams, users } from '../../../src/stores/db/schema/teams.ts'
import { jwtSecret, mint } from '../../../test/support/enforcing-node.ts'
import { startTestNode, type TestNode, unique } from '../../../test/support/node.ts'
import { newSession, type TestSession } from '../../../test/support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../test/support/team.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { axeViolations, closeChromium, newVisitor, settled } from './chromium.ts'

let node: TestNode
let team: TestTeam
let owner: TestSession
let member: TestSession
let memberId: string

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

beforeEach(async () => {
  team = await newTeam(node)
  owner = await newSession(node, team.ownerId)
  memberId = (await addMember(node, team, 'member')).userId
  member = await newSession(node, memberId)
  await team.owner('PUT', '/v1/projects/web', {})
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const deploy = (content: string) =>
  team.owner('POST', '/v1/deployments', {
    project: 'web',
    target: 'production',
    files: [{ path: 'index.html', content }],
    meta: { message: content },
  })

/** The time for an event to be on the page: a second, and a few more where others use the machine. */
const soon = { timeout: 5_000 }

describe('two people at once', () => {
  it('each sees what the other did, without a reload', async () => {
    const [first, second] = [
      await newVisitor(node, { session: owner }),
      await newVisitor(node, { session: member }),
    ]
    await first.visit(`/${team.slug}/web/deployments`)
    await second.visit(`/${team.slug}/web`)
    await Promise.all([settled(first.page), settled(second.page)])
    await deploy('The first')
    await first.page.getByText('The first').first().waitFor(soon)
    await second.page.getByText('The first').first().waitFor(soon)
    await deploy('The second')
    await first.page.getByText('The second').first().waitFor(soon)

    await first.visit(`/${team.slug}/web`)
    await first.page.getByRole('button', { name: 'Roll back' }).click()
    await first.page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click()
    const live = second.page.getByRole('region', { name: 'Production' }).or(second.page.locator('main'))
    await expect
      .poll(
        async () => (await live.first().textContent())?.match(/Deployment(The (?:first|second))/)?.[1],
        soon,
      )
      .toBe('The first')
    expect(second.problems()).toEqual([])
  })

  it('a page of a project that is deleted says so', async () => {
    const { page, visit } = await newVisitor(node, { session: member })
    await visit(`/${team.slug}/web`)
    await settled(page)
    await team.owner('DELETE', '/v1/projects/web')
    await page.getByText('It may have been deleted').first().waitFor(soon)
  })
})

describe('a member', () => {
  it('does not see what only owners may do, or sees why not', async () => {
    const { page, visit } = await newVisitor(node, { session: member })
    await visit(`/${team.slug}/~/settings/members`)
    await page.getByText('Only owners invite people').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    await visit(`/${team.slug}/~/settings`)
    await settled(page)
    expect(await page.getByRole('button', { name: 'Delete the team' }).count()).toBe(0)
    await visit(`/${team.slug}/web/settings`)
    await settled(page)
    const remove = page.getByRole('button', { name: /Delete/ })
    expect((await remove.count()) === 0 || (await remove.first().isDisabled())).toBe(true)
  })

  it('whom an owner limits to some projects sees those alone, without a reload', async () => {
    const { db } = node.installation.store
    await team.owner('PUT', '/v1/projects/docs', {})
    const [ownEmail, email] = [`${unique('owner')}@example.com`, `${unique('member')}@example.com`]
    await db.update(users).set({ email: ownEmail }).where(eq(users.id, team.ownerId))
    await db.update(users).set({ email }).where(eq(users.id, memberId))
    const limited = await newVisitor(node, { session: member })
    await limited.visit(`/${team.slug}`)
    await limited.page.getByRole('link', { name: 'docs', exact: true }).first().waitFor()

    const { page, visit, problems } = await newVisitor(node, { session: owner })
    await visit(`/${team.slug}/~/settings/members`)
    await page.getByRole('button', { name: `Actions for ${email}` }).click()
    await page.getByRole('menuitem', { name: 'Choose projects' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('All projects').uncheck()
    await dialog.getByLabel('web', { exact: true }).check()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: '1 project' }).waitFor()

    await limited.page
      .getByRole('link', { name: 'docs', exact: true })
      .waitFor({ ...soon, state: 'detached' })
    expect(await limited.page.getByRole('link', { name: 'web', exact: true }).count()).toBeGreaterThan(0)
    expect(await limited.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    expect(await limited.page.getByRole('link', { name: 'Mails', exact: true }).count()).toBe(1)
    expect(await limited.page.getByRole('button', { name: /folder/i }).count()).toBe(0)
    await limited.visit(`/${team.slug}/~/settings`)
    await settled(limited.page)
    expect(await limited.page.getByRole('link', { name: 'Members' }).count()).toBe(0)
    await limited.visit(`/${team.slug}/web/settings`)
    await settled(limited.page)
    expect(await limited.page.getByRole('heading', { name: 'Name' }).count()).toBe(0)
    await limited.visit(`/${team.slug}/web/domains`)
    await settled(limited.page)
    expect(await limited.page.getByRole('button', { name: 'Add domain' }).count()).toBe(0)
    expect([...problems(), ...limited.problems()]).toEqual([])
  })

  it('who is invited joins by accepting', async () => {
    const other = await newTeam(node)
    const email = `${unique('member')}@example.com`
    const { db } = node.installation.store
    await db.update(users).set({ email, emailVerified: true }).where(eq(users.id, memberId))
    // As it may have been stored before such names were refused.
    await db.update(teams).set({ name: 'a\u202eb\nc' }).where(eq(teams.id, other.id))
    const invited = [
      { email: null, role: 'owner' },
      { email, role: 'member' },
    ]
    await other.owner('PUT', `/v1/teams/${other.slug}`, { members: invited })
    const { page, visit } = await newVisitor(node, { session: member })
    await visit(`/${team.slug}`)
    const sentence = `You are invited to a\ufffdb\u240ac (${other.slug}) as a member.`
    await page.getByText(sentence).waitFor()
    expect(await page.locator('bdi').textContent()).toBe('a\ufffdb\u240ac')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.waitForURL(`**/${other.slug}`)
    await settled(page)
  })
})

it('the clipboard gets what the page shows, whatever a member wrote', async () => {
  const written = 'main\nrm -rf ~\u202e'
  const { body } = await team.owner('POST', '/v1/deployments', {
    project: 'web',
    files: [{ path: 'index.html', content: 'x' }],
    meta: { branch: written },
  })
  const { page, visit } = await newVisitor(node, { session: owner })
  await visit(`/${team.slug}/web/deployments/${body.id}?tab=details`)
  await page.getByRole('button', { name: 'Copy branch' }).click()
  await page.getByText('Copied').waitFor({ state: 'attached' })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('main\u240arm -rf ~\ufffd')
})

it.each([
  ['web/deployments/dpl_unknown', 'Deployment · svc'],
  ['~/webhooks/whk_unknown', 'Webhook · svc'],
])('the page of what is not there has a title: %s', async (path, title) => {
  const { page, visit } = await newVisitor(node, { session: owner })
  await visit(`/${team.slug}/${path}`)
  await page.getByText('It may have been deleted').first().waitFor()
  expect(await page.title()).toBe(title)
})

describe('a session', () => {
  it('that ends leads to the sign-in page by itself, which says so, and leads back', async () => {
    const { page, visit } = await newVisitor(node, { session: owner })
    await visit(`/${team.slug}`)
    await settled(page)
    await owner.end()
    await page.waitForURL('**/auth/sign-in?next=**')
    await page.getByText('You are signed out.').waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toBe(`/${team.slug}`)
  })

  it('stays on its page while nothing responds, and goes on from there', async () => {
    const { page, context, visit } = await newVisitor(node, { session: owner })
    await visit(`/${team.slug}`)
    await settled(page)
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('This page stays until it does.').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/${team.slug}`)
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.waitForURL(`**/${team.slug}/~/webhooks`)
  })

  it('has no team that the person does not belong to', async () => {
    const { page, visit } = await newVisitor(node, { session: owner })
    await visit(`/${(await newTeam(node)).slug}`)
    await page.getByText('There is no such team, or you are not in it.').waitFor()
  })
})

describe('where changes need a JWT', () => {
  let enforcing: TestNode

  beforeAll(async () => {
    enforcing = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on', SVC_JWT_SECRET: jwtSecret })
  })

  afterAll(() => enforcing.stop())

  it('a member who becomes an owner acts as one, on the page that was open', async () => {
    const acme = await newTeam(enforcing)
    const { userId } = await addMember(enforcing, acme, 'member')
    const { page, visit } = await newVisitor(enforcing, { session: await newSession(enforcing, userId) })
    await visit(`/${acme.slug}/~/webhooks`)
    await settled(page)
    const { store } = enforcing.installation
    await store.transact(async (tx) => {
      const isMember = and(eq(members.teamId, acme.id), eq(members.userId, userId))
      await tx.update(members).set({ role: 'owner' }).where(isMember)
      tx.announce({ kind: 'member', id: userId })
    })
    await page.evaluate(() => document.body.setAttribute('data-opened', 'before'))
    // A change of the team lets the page read the role again; its JWT still says `member`.
    const { api } = await mint(enforcing, acme.ownerKey)
    await api('PUT', `/v1/teams/${acme.slug}`, { name: 'Renamed' })
    await page.getByRole('button', { name: 'New webhook' }).first().waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: /keys/i }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('of the new owner')
    await page.getByLabel('Role').selectOption('owner')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.locator('[data-opened]').count()).toBe(1)
  })

  describe('each page shows and changes its own team, for a person in two', () => {
    let acme: TestTeam
    let personal: TestTeam
    let session: TestSession

    beforeEach(async () => {
      acme = await newTeam(enforcing)
      personal = await newTeam(enforcing, { personal: true })
      const { db } = enforcing.installation.store
      const joined = {
        teamId: acme.id,
        userId: personal.ownerId,
        role: 'owner' as const,
        joinedMs: Date.now(),
      }
      await db.insert(members).values(joined)
      for (const [team, project] of [
        [acme, 'of-acme'],
        [personal, 'of-person'],
      ] as const) {
        const { api } = await mint(enforcing, team.ownerKey)
        await api('PUT', `/v1/projects/${project}`, {})
        await api('PUT', `/v1/domains/${project}.example.com`, { project })
      }
      session = await newSession(enforcing, personal.ownerId)
    })

    it('on two pages that are open at once', async () => {
      const inAcme = await newVisitor(enforcing, { session })
      const atHome = await newVisitor(enforcing, { session })
      await Promise.all([inAcme.visit(`/${acme.slug}`), atHome.visit(`/${personal.slug}`)])
      await inAcme.page.getByRole('link', { name: 'of-acme', exact: true }).waitFor()
      await atHome.page.getByRole('link', { name: 'of-person', exact: true }).waitFor()
      for (const path of ['', '/~/domains', '/~/logs', '/~/metrics', '/~/webhooks', '/~/settings/keys']) {
        await inAcme.visit(`/${acme.slug}${path}`)
        await settled(inAcme.page)
        expect(await inAcme.page.locator('main').textContent(), path).not.toContain('of-person')
      }
      expect(inAcme.problems()).toEqual([])
    })

    it('with a new key', async () => {
      const { page, visit, problems } = await newVisitor(enforcing, { session })
      await visit(`/${acme.slug}/~/settings/keys`)
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('made with a JWT')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('cell', { name: 'made with a JWT', exact: true }).waitFor()
      const namesOf = async ({ owner }: TestTeam) =>
        (await owner('GET', '/v1/apikeys')).body.data.map(({ name }: { name: string }) => name)
      expect(await namesOf(acme)).toContain('made with a JWT')
      expect(await namesOf(personal)).not.toContain('made with a JWT')
      expect(problems()).toEqual([])
    })

    it('with an upload, and after a switch of the team', async () => {
      const { page, visit, problems } = await newVisitor(enforcing, { session })
      await visit(`/${acme.slug}`)
      await settled(page)
      const buffer = zipOf([{ path: 'index.html', content: '<h1>zip</h1>' }])
      await page
        .getByLabel('Zip', { exact: true })
        .setInputFiles({ name: 'dropped.zip', mimeType: 'application/zip', buffer })
      await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click()
      const deployed = page.getByRole('dialog', { name: 'Deployed' })
      await deployed.waitFor()
      const deploymentsOf = async ({ owner }: TestTeam) =>
        (await owner('GET', '/v1/deployments?limit=1')).body.data
      expect(await deploymentsOf(acme)).toHaveLength(1)
      expect(await deploymentsOf(personal)).toEqual([])

      await deployed.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Switch team' }).click()
      await page.getByRole('menuitem', { name: personal.slug }).click()
      await page.getByRole('link', { name: 'of-person', exact: true }).waitFor()
      expect(problems()).toEqual([])
    })
  })
})

it('a node that goes away and returns: the page says so, and recovers', async () => {
  const { page, visit, context } = await newVisitor(node, { session: owner })
  await visit(`/${team.slug}/web/deployments`)
  await settled(page)
  await context.setOffline(true)
  await page
    .getByText(/offline|reconnecting/i)
    .first()
    .waitFor({ timeout: 20_000 })
  await deploy('While away')
  await context.setOffline(false)
  await page.getByText('While away').first().waitFor({ timeout: 20_000 })
})
