/** What a test event keeps of an address. */
import { expect, it } from 'vitest'
import { pingData, shownData } from '../../../src/stores/events/ping-data.ts'

it.each([
  ['https://ci.example.com:8443/path?token=secret#x', 'https://ci.example.com:8443'],
  ['https://user:secret@ci.example.com/', 'https://ci.example.com'],
  ['', ''],
])('%j leaves %j', (url, left) => {
  const data = { webhook: { id: 'hook_1', url: left } }
  expect(pingData('hook_1', url)).toEqual(data)
  expect(shownData('webhook.ping', { webhook: { id: 'hook_1', url } })).toEqual(data)
})

it.each([
  ['project.created', { project: { id: 'prj_1', name: 'web' } }],
  ['webhook.ping', { other: 'https://a.example/b' }],
])('data of %s without such an address stay as they are: %j', (type, data) => {
  expect(shownData(type, data)).toEqual(data)
})
