/** Messages for incoming webhooks of Discord. */
import type { Notice, Part } from './notice.ts'
import { cutEscaped, plainLine } from './plain-line.ts'

/** With at most eight facts and the problem, below the 4,096 characters of a description. */
const maxFact = 250

const maxProblem = 1_000

/** As in the dashboard: green, red, grey. */
const colors = { good: 0x2e7d32, bad: 0xc62828, plain: 0x757575 }

/**
 * The JSON of a message with one embed, of which nothing may mention anybody. What people said is in code,
 * where nothing is markup or a link.
 */
export function discordBody(notice: Notice, event: { createdMs: number }): string {
  const { title, tone, facts, problem, advice, links } = notice
  const [page] = links
  const lines = [
    facts.map(partText).join(' · '),
    ...(problem === null ? [] : [`\`\`\`\n${inCode(linesOf(problem), maxProblem)}\n\`\`\``]),
    ...(advice === null ? [] : [advice]),
    links.map(({ label, url }) => `[${label}](${url.replaceAll(/[()]/g, encodeURIComponent)})`).join(' · '),
  ]
  return JSON.stringify({
    embeds: [
      {
        title,
        url: page?.url,
        description: lines.join('\n'),
        color: colors[tone],
        timestamp: new Date(event.createdMs).toISOString(),
      },
    ],
    allowed_mentions: { parse: [] },
  })
}

function partText(part: Part): string {
  return typeof part === 'string' ? part : `\`${inCode(plainLine(part.said), maxFact)}\``
}

const linesOf = (problem: string) => problem.split('\n').map(plainLine).join('\n')

/** Never empty, which would be no code. */
function inCode(text: string, most: number): string {
  return cutEscaped(text, most, (character) => (character === '`' ? 'ˋ' : character)) || '-'
}
