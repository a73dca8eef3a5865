/** Lines about connections that were not made. */
import { expect, it } from 'vitest'
import { createRefusalLines, Refusal } from '../../../../src/platform/servers/way-out/refusal.ts'

it('says each once a minute, and at most twenty of them', () => {
  let nowMs = 0
  const lines: string[] = []
  const refuse = createRefusalLines(
    (text) => lines.push(text),
    () => nowMs,
  )
  const at = (port: number) => refuse(new Refusal({ name: '10.0.0.5', port }, 'slow'))
  at(80)
  at(80)
  expect(lines).toEqual(['No way to 10.0.0.5:80, which took too long to accept the connection.'])
  for (let port = 1; port <= 100; port++) at(port)
  expect(lines).toHaveLength(20)
  nowMs = 60_000
  at(80)
  expect(lines).toHaveLength(21)
})
