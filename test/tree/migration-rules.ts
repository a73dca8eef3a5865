/** What a migration may not do while nodes of the version before run on the same database. */

/** Statements that are safe after all, each with the reason. */
export type Allowed = Record<string, string>

const table = String.raw`(?:if (?:not )?exists )?"?(?:public"?\.")?(\w+)"?`

const rules: [pattern: RegExp, problem: string][] = [
  [/^drop (?!index)/, 'the version before still uses it: drop it in the next version'],
  [/^drop index/, 'queries of the version before may need it: drop it in the next version'],
  [/\bdrop column\b/, 'the version before still uses it: drop it in the next version'],
  [/\brename\b/, 'the version before uses the old name: add a second one'],
  [/\bset not null\b/, 'the version before may leave it out: check that in the program'],
  [/\badd column\b(?!.*\bdefault\b).*\bnot null\b/, 'the version before leaves it out: give it a default'],
  [/\bset data type\b/, 'this rewrites the table while everybody waits: add a second column'],
  [/\b(?:drop|set) default\b/, 'the version before may rely on it'],
]

/** The problems of one migration's statements, as sentences. */
export function problemsOf(text: string, allowed: Allowed = {}): string[] {
  const statements = text
    .split('--> statement-breakpoint')
    .flatMap((part) => part.split(/;\s*(?:\n|$)/))
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '' && !(statement in allowed))
  const created = new Set(statements.flatMap((each) => match(each, `^create table ${table}`)))
  const isConcurrent = statements.map((each) => /\bconcurrently\b/i.test(each))
  const mixed = isConcurrent.includes(true) && isConcurrent.includes(false)
  return [
    ...(mixed ? ['An index that is built concurrently needs a migration of its own.'] : []),
    ...statements.flatMap((statement) =>
      problemsIn(statement, created).map((why) => `${statement}: ${why}.`),
    ),
  ]
}

function problemsIn(statement: string, created: Set<string>): string[] {
  const text = statement.toLowerCase()
  const found = rules.flatMap(([pattern, problem]) => (pattern.test(text) ? [problem] : []))
  const [indexed] = match(statement, `^create (?:unique )?index (?!concurrently).* on ${table}`)
  if (indexed !== undefined && !created.has(indexed)) {
    found.push('nobody can write to the table meanwhile: use .concurrently() in the schema')
  }
  const [checked] = match(statement, `^alter table ${table} add constraint`)
  if (checked !== undefined && !created.has(checked)) {
    found.push('every row is checked while nobody can write: add it as not valid')
  }
  return found
}

function match(statement: string, pattern: string): string[] {
  const [, name] = new RegExp(pattern, 'i').exec(statement) ?? []
  return name === undefined ? [] : [name]
}
