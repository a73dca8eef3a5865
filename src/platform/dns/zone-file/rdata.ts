/** Parses the data of records in a master file. */
import type { RecordType } from '../../../lib/names/record-types.ts'
import { readData } from '../read-data.ts'
import type { Rdata } from '../types/rule.ts'
import { rules } from '../types/rules.ts'
import type { Word } from './entries.ts'
import { genericBytes, isGeneric } from './generic-data.ts'

/** Parses the tokens after the type. Returns the problem, to follow the type. */
export function readRdata(type: RecordType, written: Word[], origin: string): Rdata | string {
  if (isGeneric(written)) {
    const bytes = genericBytes(written)
    return typeof bytes === 'string' ? bytes : readData(type, bytes)
  }
  const { takes, repeats, hasPairs, read } = rules[type].text
  const words = hasPairs ? joinPairs(written) : written
  if (words.length < takes.length || (words.length > takes.length && !repeats)) {
    return `takes ${takes.join(', ')}, and nothing else`
  }
  return read(
    words.map(({ text }) => text),
    origin,
  )
}

/** `key="value"` as one token. */
function joinPairs(words: Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const before = joined.at(-1)
    const isValue = word.attached && word.quoted && before?.quoted === false && before.text.endsWith('=')
    if (isValue) joined.splice(-1, 1, { ...before, text: before.text + word.text, quoted: true })
    else joined.push(word)
  }
  return joined
}
