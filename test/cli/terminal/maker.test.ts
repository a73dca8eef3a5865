import { expect, it } from 'vitest'
import { makerText } from '../../../src/cli/terminal/maker.ts'

it('who made something, with the reason of an end, also in a response of an earlier server', () => {
  const ended = { reason: 'maker_limited', message: '' }
  expect(makerText({ created_by_name: 'Ada', ended })).toBe('Ada, ended: maker_limited')
  expect(makerText({ created_by_name: 'Ada', ended: null })).toBe('Ada')
  expect(makerText({ created_by_name: 'Ada' })).toBe('Ada')
})
