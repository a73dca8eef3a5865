/** A folder or a zip from the browser becomes a deployment. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { visit } from '../../../test/platform/deployments/steps.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession, type TestSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { axeViolations, closeChromium, newVisitor, settled, type Visitor } from './chromium.ts'
import { folderOf, viteSources } from './folder.ts'

let node: TestNode
let team: TestTeam
let session: TestSession
let visitor: Visitor
let page: Visitor['page']

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
  session = await newSession(node, team.ownerId)
  visitor = await newVisitor(node, { session })
  page = visitor.page
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const choose = (what: 'Folder' | 'Zip', path: string) =>
  page.getByLabel(what, { exact: true }).setInputFiles(path)

/** Waits for the end of a deployment from the page, and visits its address. */
async function deployed(path = '/'): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Deployed' })
  await dialog.waitFor()
  const url = (await dialog.getByRole('link', { name: 'Visit' }).getAttribute('href')) ?? ''
  return (await visit(url, path)).body
}

it('a folder becomes the first project, and its page takes the place of the guide', async () => {
  const site = {
    'index.html': '<h1>First</h1>',
    'a/b.txt': 'b',
    '.env': 'SECRET=1',
    'node_modules/x.js': 'x',
  }
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf(site))
  await page.getByText('2 files').waitFor()
  expect(await page.getByText('Not deployed:').textContent()).toBe('Not deployed: .env, node_modules.')
  expect(await page.getByLabel('Project', { exact: true }).inputValue()).toBe('dist')
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Project', { exact: true }).fill('first')
  await button('Deploy').click()
  expect(await deployed()).toBe('<h1>First</h1>')
  const { production_url } = (await team.owner('GET', '/v1/projects/first')).body
  expect(await page.getByRole('link', { name: 'Visit' }).getAttribute('href')).toBe(production_url)
  await button('Copy the address').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(production_url)
  await button('Close').click()
  await page.getByRole('link', { name: 'first', exact: true }).waitFor()
  expect((await team.owner('GET', '/v1/deployments')).body.data).toMatchObject([
    { project: 'first', target: 'production', live: true, files: 2 },
  ])
  expect(visitor.problems()).toEqual([])
})

it('a folder that is dropped on the page of a project', async () => {
  await team.owner('PUT', '/v1/projects/web', {})
  await visitor.visit(`/${team.slug}/web`)
  await settled(page)
  await page.getByRole('heading', { name: 'Deployments' }).waitFor()
  const ofMacos = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`deep/._${at}.txt`, '']))
  const path = await folderOf({ 'index.html': 'dropped', 'deep/er/file.txt': 'deep', ...ofMacos })
  const cdp = await visitor.context.newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') => {
    const data = { items: [], files: [path], dragOperationsMask: 1 }
    return cdp.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  }
  await drag('dragEnter')
  await page.getByText('Drop to deploy to web').waitFor()
  await drag('dragOver')
  await drag('drop')
  await page.getByRole('dialog', { name: 'Deploy to web' }).waitFor()
  expect(await page.getByText('Not deployed:').textContent()).toMatch(
    /^Not deployed: (?:\._\d+\.txt, ){9}\._\d+\.txt and 2 more\.$/,
  )
  await page.getByLabel('Production').uncheck()
  await button('Deploy').click()
  expect(await deployed('/deep/er/file.txt')).toBe('deep')
  expect((await team.owner('GET', '/v1/deployments')).body.data).toMatchObject([
    { target: 'preview', meta: { folder: 'dist' } },
  ])
})

it('a zip', async () => {
  const path = `${await folderOf({ 'index.html': '' })}.zip`
  await writeFile(path, zipOf([{ path: 'index.html', content: 'zipped' }]))
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Zip', path)
  await button('Deploy').click()
  expect(await deployed()).toBe('zipped')
  const { data } = (await team.owner('GET', '/v1/deployments')).body
  expect(data).toMatchObject([{ meta: { zip: 'dist.zip' }, source: { kind: 'dashboard' } }])
})

it('a zip of a folder, which is deployed as the folder', async () => {
  const path = `${await folderOf({ 'index.html': '' })}.zip`
  const entries = [
    { path: './', mode: 0o040_755 },
    { path: './my site/index.html', content: 'of a folder' },
    { path: './/my site/deep/file.txt', content: 'deep' },
    { path: 'my site/.env', content: 'SECRET=1' },
    { path: '__MACOSX/my site/._index.html', content: 'of macOS' },
    { path: 'my site/deep/._file.txt', content: 'of macOS' },
    { path: '._my site', content: 'of macOS' },
  ]
  await writeFile(path, zipOf(entries))
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Zip', path)
  await page.getByText('Not deployed: .env.').waitFor()
  expect(await page.getByLabel('Project', { exact: true }).inputValue()).toBe('my-site')
  await button('Deploy').click()
  expect(await deployed()).toBe('of a folder')
  expect(await deployed('/deep/file.txt')).toBe('deep')
})

it('sources of a framework are deployed once a person has said what becomes of them', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf(viteSources))
  await page.getByText('These are sources for Vite, built with npm run build into dist.').waitFor()
  expect(await page.getByText('Runs npm ci, then npm run build.').count()).toBe(1)
  await expect.poll(() => page.getByLabel('Build on the server').isChecked()).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Deploy as it is').check()
  await button('Deploy').click()
  expect(await deployed('/src/main.ts')).toBe('')
  expect((await team.owner('GET', '/v1/projects/dist')).body.build.build_command).toBeNull()
})

it('sources of no known framework are asked about, too', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf({ 'go.mod': '', 'main.go': '' }))
  await page.getByText('These look like sources: go.mod is there, and there is no index.html.').waitFor()
  expect(await page.getByLabel('Build on the server').isDisabled()).toBe(true)
  const asItIs = page.getByLabel('Deploy as it is')
  expect(await asItIs.isChecked()).toBe(false)
  await button('Deploy').click()
  await expect.poll(() => asItIs.evaluate((radio) => radio === document.activeElement)).toBe(true)
  expect(await axeViolations(page)).toEqual([])
})

it('a server whose builds have no network says so before anything is sent', async () => {
  const offline = await startTestNode({ SVC_DASHBOARD: 'on', SVC_BUILD_NETWORK: 'none' })
  try {
    const own = await newTeam(offline)
    const { page: there, visit: open } = await newVisitor(offline, {
      session: await newSession(offline, own.ownerId),
    })
    await open(`/${own.slug}`)
    await settled(there)
    await there.getByLabel('Folder', { exact: true }).setInputFiles(await folderOf(viteSources))
    await there.getByText('Builds have no network here (SVC_BUILD_NETWORK=none).').waitFor()
  } finally {
    await offline.stop()
  }
})

it('a manifest that can not be read stops the deployment', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf({ 'index.html': '', 'package.json': '{"dependencies":' }))
  await page.getByText('package.json is not JSON').waitFor()
  expect(await button('Deploy').isDisabled()).toBe(true)
})

it('a byte order mark hides no sources', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  const manifest = `\uFEFF${viteSources['package.json']}`
  await choose('Folder', await folderOf({ ...viteSources, 'package.json': manifest }))
  await page.getByText('These are sources for Vite').waitFor()
})

it('sources in a zip', async () => {
  const path = `${await folderOf({ 'index.html': '' })}.zip`
  const files = Object.entries(viteSources).map(([name, content]) => ({ path: name, content }))
  await writeFile(path, zipOf(files))
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Zip', path)
  await page.getByText('These are sources for Vite').waitFor()
  await expect.poll(() => page.getByLabel('Build on the server').isChecked()).toBe(true)
})

it('one that is canceled and resumed uploads only what is missing, and deploys once', async () => {
  const contents = Array.from({ length: 12 }, () => randomBytes(1_000_000))
  const files = Object.fromEntries(contents.map((content, at) => [`${at}.bin`, content]))
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  const firstUploads = 4
  let uploads = 0
  let repeated = 0
  let resumed = false
  // It stays until the end: the browser sends what it holds when a route is removed, even what was canceled
  // just now.
  await page.route('**/uploads/**', async (route) => {
    if (resumed) repeated += 1
    else uploads += 1
    // The others never end, until the person cancels.
    if (resumed || uploads <= firstUploads) await route.continue()
  })
  await choose('Folder', await folderOf({ 'index.html': 'resumed', ...files }))
  await button('Deploy').click()
  await expect.poll(() => uploads, { timeout: 20_000 }).toBe(firstUploads + 6)
  await page.getByText(/^[1-9].* of 11\.4 MiB$/).waitFor()
  await button('Cancel').click()
  await page.getByText('Uploaded files are kept').waitFor()
  resumed = true
  await button('Resume').click()
  expect(await deployed()).toBe('resumed')
  await page.unroute('**/uploads/**')
  expect(repeated).toBe(13 - firstUploads)
  expect((await team.owner('GET', '/v1/deployments')).body.data).toHaveLength(1)
})

it('one whose connection breaks says so, and is resumed', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf({ 'index.html': 'again' }))
  // The dialog's own files are loaded, too.
  await button('Deploy').waitFor()
  await visitor.context.setOffline(true)
  await button('Deploy').click()
  await page.getByText('The server did not respond').waitFor()
  await visitor.context.setOffline(false)
  await button('Resume').click()
  expect(await deployed()).toBe('again')
})

it('a refusal of the API appears at the field', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf({ 'index.html': 'x' }))
  await page.getByLabel('Project', { exact: true }).fill('-x-')
  await button('Deploy').click()
  await page.getByText('must be a DNS label').first().waitFor()
})

it('an empty folder is refused', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  await choose('Folder', await folderOf({ '.env': 'A=1' }))
  await page.getByText('There is no file to deploy.').waitFor()
  expect(await button('Deploy').isDisabled()).toBe(true)
})

it('warnings of a deployment appear at its end, and on its page', async () => {
  await visitor.visit(`/${team.slug}`)
  await settled(page)
  const rule = 'https://www.example.com/* /:splat 301'
  await choose('Folder', await folderOf({ 'about.html': 'about', _redirects: rule }))
  await button('Deploy').click()
  await page.getByRole('dialog', { name: 'Deployed' }).getByText('_redirects, line 1: https://www.').waitFor()
  await page.getByRole('link', { name: 'Show the deployment' }).click()
  await page.getByText('_redirects, line 1: https://www.example.com/* is passed over').waitFor()
  await page.getByText('The site has no index.html').waitFor()
  expect(await axeViolations(page)).toEqual([])
})
