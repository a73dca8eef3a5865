/** The response of a node's `/metrics`. */

import type { TestNode } from '../../../support/node.ts'
import { sendRequest } from '../../edge/client.ts'
import { type Family, parseExposition } from './exposition.ts'

export type Scrape = {
  families: Map<string, Family>
  text: string
  /**
   * The sum of the samples of this name with these labels, whatever others they have; undefined if there are
   * none.
   */
  value(name: string, labels?: Record<string, string>): number | undefined
}

/** @throws if the response isn't in Prometheus' format. */
export async function scrape(node: TestNode): Promise<Scrape> {
  const { status, headers, text } = await sendRequest(node.internalPort, 'localhost', '/metrics')
  if (status !== 200 || headers['content-type'] !== 'text/plain; version=0.0.4; charset=utf-8') {
    throw new Error(`${status} ${headers['content-type']}: ${text}`)
  }
  const families = parseExposition(text)
  const samples = [...families.values()].flatMap((family) => family.samples)
  return {
    families,
    text,
    value(name, labels = {}) {
      const found = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
    },
  }
}

/** How much samples grew from one scrape to another; a new one was 0. */
export function growth(before: Scrape, after: Scrape) {
  return (name: string, labels?: Record<string, string>) =>
    (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)
}
