/**
 * Finds the test files that need a database: those that import, directly or not, a module that opens one, not
 * only its types.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Modules that open a database, or start a program that does. */
const openers = ['src/stores/db/open-database.ts', 'test/support/databases.ts', 'test/support/program.ts']

const importPattern =
  /^(?:import|export)\s(?!type\b)(?:([^'"]*?)\sfrom\s)?'(\.[^']+)'|import\('(\.[^']+)'\)/gm

/** The paths of all test files, by whether they need a database. */
export function testFilesByNeed(): { withStore: string[]; without: string[] } {
  const files = testFiles('test')
  const known = new Map<string, string[]>()
  const needsStore = (file: string) => reaches(file, known)
  return { withStore: files.filter(needsStore), without: files.filter((file) => !needsStore(file)) }
}

function testFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path)
    return path.endsWith('.test.ts') ? [path] : []
  })
}

function reaches(file: string, known: Map<string, string[]>): boolean {
  const seen = new Set([file])
  for (const each of seen) {
    if (openers.includes(each)) return true
    for (const imported of importsOf(each, known)) seen.add(imported)
  }
  return false
}

function importsOf(file: string, known: Map<string, string[]>): string[] {
  const found = known.get(file)
  if (found) return found
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const imports = [...text.matchAll(importPattern)].flatMap(([, names = '', from, dynamic]) =>
    isOfTypesOnly(names) ? [] : [normalize(join(dirname(file), from ?? dynamic ?? ''))],
  )
  known.set(file, imports)
  return imports
}

/** `{ type A, type B }` imports nothing when the program runs. */
function isOfTypesOnly(names: string): boolean {
  const [, inBraces = ''] = /^\{([^}]*)\}$/s.exec(names.trim()) ?? []
  const each = inBraces.split(',').flatMap((name) => name.trim() || [])
  return each.length > 0 && each.every((name) => name.startsWith('type '))
}
