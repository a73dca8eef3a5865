/** The types of all procedures, from the declarations that the compiler wrote of the router. */

const fromServer = 'import\\("@trpc/server"\\)\\.TRPC'
const group = new RegExp(`^ {4}(\\w+): ${fromServer}BuiltRouter<\\{$`)
const procedure = new RegExp(`^ {8}(\\w+): ${fromServer}(Query|Mutation|Subscription)Procedure<\\{$`)
const field = /^ {12}(\w+): (.*)$/
const shapeStart = /^ {4}errorShape: (.*)$/

/**
 * TypeScript that declares `ErrorShape` and `Procedures`, where `declarations` is the `.d.ts` of `appRouter`:
 * the compiler has resolved every input and output there, one indented line a field.
 * @throws where something in it needs types from elsewhere, or there are no procedures.
 */
export function rollUp(declarations) {
  const lines = declarations.split('\n')
  const procedures = readProcedures(lines)
  if (procedures.length === 0) throw new Error('The declarations of the router hold no procedures.')
  const start = lines.findIndex((line) => shapeStart.test(line))
  const shape = readType(lines, start, 4).replace(
    /import\("@trpc\/server"\)\.TRPC_ERROR_CODE_NUMBER/,
    'number',
  )
  if (shape.includes('import(')) throw new Error('The shape of errors needs types from elsewhere.')
  const groups = [...new Set(procedures.map((each) => each.group))]
  const texts = groups.map((name) => {
    const members = procedures.filter((each) => each.group === name).map(describe)
    return `  ${name}: {\n${members.join('\n')}\n  }`
  })
  return `type ErrorShape = ${dedent(shape, 4)}\n\ntype Procedures = {\n${texts.join('\n')}\n}\n`
}

function describe({ name, type, input, output }) {
  for (const [what, text] of Object.entries({ input, output })) {
    if (text === undefined) throw new Error(`${name} has no ${what}.`)
    if (text.includes('import('))
      throw new Error(`The ${what} of ${name} needs types from elsewhere: ${text}`)
  }
  return `    ${name}: Procedure<'${type}', ${dedent(input, 8)}, ${dedent(output, 8)}>`
}

function readProcedures(lines) {
  const found = []
  let within = ''
  for (const [at, line] of lines.entries()) {
    within = group.exec(line)?.[1] ?? within
    const [, name, type] = procedure.exec(line) ?? []
    if (name !== undefined) found.push({ group: within, name, type: type.toLowerCase() })
    const [, key] = field.exec(line) ?? []
    if (key === 'input' || key === 'output') found.at(-1)[key] ??= withoutTracked(readType(lines, at, 12))
  }
  return found
}

/**
 * A stream of messages with ids, as `base.d.ts` declares them: older compilers know one parameter of
 * `AsyncIterable`.
 */
function withoutTracked(type) {
  return type
    .replace(/^AsyncIterable<import\("[^"]+"\)\.TrackedData</, 'AsyncIterable<Tracked<')
    .replace(/>, void, any>$/, '>>')
}

/**
 * The type of the field that begins on this line, which ends before the next line that is indented as much.
 */
function readType(lines, at, indent) {
  const closing = new RegExp(`^ {${indent}}[}\\])].*;$`)
  const [, first = ''] = /: (.*)$/.exec(lines[at]) ?? []
  if (first.endsWith(';')) return first.slice(0, -1)
  const last = lines.findIndex((line, index) => index > at && closing.test(line))
  return [first, ...lines.slice(at + 1, last + 1)].join('\n').slice(0, -1)
}

function dedent(text, by) {
  return text.replaceAll(new RegExp(`^ {${by}}`, 'gm'), '')
}
