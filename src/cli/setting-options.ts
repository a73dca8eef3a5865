/** The options of commands that set what a project's tables of settings have. */
import { isDeepStrictEqual } from 'node:util'
import { InvalidArgumentError, Option } from 'commander'
import type { FieldFacts } from '../platform/projects/describe-fields.ts'
import { mapRows, namesOf } from '../platform/projects/field.ts'
import { isChangeOf } from './project-fields.ts'

/** Stands for false where words are the other values. */
const off = 'off'

/** The options, in the order of the settings. */
export function optionsFor(facts: Record<string, FieldFacts>): Option[] {
  return Object.values(mapRows(facts, optionOf))
}

function optionOf({ option: [flags, says], takes, least = 1 }: FieldFacts): Option {
  const option = new Option(flags, says)
  if (takes === 'switch') return option.argParser(parseSwitch)
  if (takes === 'number') return option.argParser((text) => parseNumber(text, least))
  if (takes === 'list') return option.argParser(append)
  if (takes === 'numbers')
    return option.argParser((text, known: (number | 'none')[] = []) => [...known, parseNumber(text, least)])
  return takes === 'text' ? option : option.choices(takes.map((word) => (word === false ? off : word)))
}

/**
 * The settings that the options of a command give, by their names: none restores a default, and a switch
 * whose value may be left out says whether it is the opposite of it.
 */
export function settingsOf<Changes extends object>(
  facts: { [Name in keyof Changes]-?: FieldFacts },
  options: Record<string, unknown>,
): Partial<Changes> {
  const changes: Partial<Changes> = {}
  const take = <Name extends keyof Changes>(name: Name) => {
    const value = givenOf(facts[name], options)
    if (isChangeOf<Changes[Name]>(facts[name], value)) changes[name] = value
  }
  for (const name of namesOf(facts)) take(name)
  return changes
}

function givenOf(facts: FieldFacts, options: Record<string, unknown>): unknown {
  const { takes, initial } = facts
  const option = optionOf(facts)
  const value = options[option.attributeName()]
  if (value === undefined) return undefined
  if (takes === 'switch' && option.optional) return value ? !initial : initial
  if (takes === 'list' || takes === 'numbers') return isDeepStrictEqual(value, ['none']) ? null : value
  if (Array.isArray(takes)) return value === off && takes.includes(false) ? false : value
  return value === 'none' ? null : value
}

function append(text: string, texts: string[] = []): string[] {
  return [...texts, text]
}

function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It should be on or off.')
}

/** Commander takes null for an option without a value. */
function parseNumber(text: string, least: number): number | 'none' {
  if (text === 'none') return text
  if (/^\d{1,10}$/.test(text) && Number(text) >= least) return Number(text)
  throw new InvalidArgumentError(`It should be a number from ${least} on, or none.`)
}
