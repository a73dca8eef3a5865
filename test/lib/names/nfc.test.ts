import { expect, it } from 'vitest'
import { hasEndlessMarks, toNfc } from '../../../src/lib/names/nfc.ts'

it('composes characters, and puts their marks in order', () => {
  expect(toNfc('cafe\u0301 a\u0301\u0316')).toBe('café á\u0316'.normalize('NFC'))
  expect(toNfc(`a${'\u0301\u0316'.repeat(15)}`)).toBe(`a${'\u0301\u0316'.repeat(15)}`.normalize('NFC'))
})

it('leaves a text as it is where a character has more marks than any language gives it', () => {
  const text = `cafe\u0301 a${'\u0301\u0316'.repeat(16)}`
  expect(hasEndlessMarks(text)).toBe(true)
  expect(toNfc(text)).toBe(text)
})
