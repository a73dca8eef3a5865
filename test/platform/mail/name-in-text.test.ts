import { expect, it } from 'vitest'
import { nameInText } from '../../../src/platform/mail/name-in-text.ts'

it.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Dr. Ada', 'Dr. Ada'],
  ['Žižek & Söhne 🚀', 'Žižek & Söhne 🚀'],
  ['two\r\nlines\tand\u2028more', 'two lines and more'],
  ['\u001b[31mred\u001b[0m and \u0007', 'red and ␇'],
  ['un\u202eseen\u200b', 'un\ufffdseen'],
  ['x'.repeat(200), 'x'.repeat(100)],
])('%j is %j', (name, text) => {
  expect(nameInText(name, 'otherwise')).toBe(text)
})

it.each([
  '',
  ' \n ',
  'https://evil.test/prize',
  'You won! evil.test',
  'www evil',
  'mail me@evil',
  'HTTP:\u200b//evil',
  'evil.\u200btest',
])('%j is not repeated', (name) => {
  expect(nameInText(name, 'otherwise')).toBe('otherwise')
})
