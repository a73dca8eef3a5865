/** Parses Prometheus' text format (version 0.0.4) strictly. */

type Sample = { name: string; labels: Record<string, string>; value: number }

export type Family = { name: string; type: string; help: string; samples: Sample[] }

const nameShape = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const labelShape = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\[\\\\"n])*)"'
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

/** The families by name. @throws with the first invalid line. */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let family: Family | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`A second family ${name}`)
      family = { name, help: rest, type: '', samples: [] }
      families.set(name, family)
      continue
    }
    if (keyword === 'TYPE') {
      if (family?.name !== name || family.type !== '' || family.samples.length > 0 || !types.includes(rest)) {
        throw new Error(line)
      }
      family.type = rest
      continue
    }
    const sample = parseSample(line)
    if (!family || !belongs(sample, family)) throw new Error(`A sample of another family: ${line}`)
    const key = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`
    if (seen.has(key)) throw new Error(`Repeated: ${line}`)
    seen.add(key)
    family.samples.push(sample)
  }
  for (const each of families.values()) checkFamily(each)
  return families
}

function parseSample(line: string): Sample {
  const shape = new RegExp(`^(${nameShape})(?:\\{((?:${labelShape}(?:,|(?=\\})))*)\\})? (\\S+)$`)
  const match = shape.exec(line)
  const value = match?.at(-1) ?? ''
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : value === 'Nan' ? Number.NaN : Number(value)
  if (!match || (Number.isNaN(number) && value !== 'Nan') || value === '')
    throw new Error(`No sample: ${line}`)
  const labels: Record<string, string> = {}
  for (const [, name = '', text = ''] of (match[2] ?? '').matchAll(new RegExp(labelShape, 'g'))) {
    if (Object.hasOwn(labels, name)) throw new Error(`A label twice: ${line}`)
    labels[name] = text.replaceAll(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
  }
  return { name: match[1] ?? '', labels, value: number }
}

function belongs({ name }: Sample, family: Family): boolean {
  if (family.type !== 'histogram') return name === family.name
  return ['_bucket', '_sum', '_count'].some((end) => name === family.name + end)
}

function checkFamily({ name, type, samples }: Family): void {
  if (type === '') throw new Error(`${name} has no type.`)
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} is a counter.`)
  if (type !== 'histogram') return
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(labels)
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  for (const of of series.values()) {
    const buckets = of.filter((sample) => sample.name.endsWith('_bucket'))
    const bounds = buckets.map(({ labels }) =>
      labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
    )
    const counts = buckets.map(({ value }) => value)
    const count = of.find((sample) => sample.name.endsWith('_count'))?.value
    const ascending = (list: number[]) => list.every((each, at) => at === 0 || each >= (list[at - 1] ?? 0))
    if (!ascending(bounds) || !ascending(counts)) throw new Error(`${name}: buckets out of order`)
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || counts.at(-1) !== count) {
      throw new Error(`${name}: the last bucket isn't all`)
    }
    if (!of.some((sample) => sample.name.endsWith('_sum'))) throw new Error(`${name} has no sum.`)
  }
}
