/**
 * The page *Status* of a node whose disk is full.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow } from './chromium.ts'

let node: TestNode

beforeAll(async () => {
  // More than any disk has.
  const full = { SVC_DISK_RESERVE: String(1024 ** 5) }
  node = await startTestNode({ ...full, SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

it('says what is wrong, where, and what to do, in words of their own', async () => {
  const team = await newTeam(node)
  const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await visit(`/${team.slug}/~/status`)
  const alert = page.getByRole('listitem').filter({ hasText: 'Disk full' })
  await alert.waitFor()
  expect(await alert.textContent()).toContain(`The disk of ${node.settings.SVC_DATA_DIR} is full`)
  const text = (await page.getByRole('main').textContent()) ?? ''
  expect(text).not.toContain('Everything works')
  expect(text).toContain('Sites are served, and nothing more is stored')
  expect(text).not.toContain('They can be read and written')
  expect(text).toMatch(/[\d.]+ % free/)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await overflow(page), String(width)).toBe(0)
    expect(await axeViolations(page), String(width)).toEqual([])
  }
})
