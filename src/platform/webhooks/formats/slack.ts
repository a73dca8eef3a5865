/** Messages for incoming webhooks of Slack, and of services that take the same. */
import type { Notice, Part } from './notice.ts'
import { cutEscaped, plainLine } from './plain-line.ts'

/** With at most eight facts, below the 3,000 characters of a section. */
const maxFact = 300

const maxProblem = 2_000

/**
 * The JSON of a message: `blocks` for Slack, and `text` with the same for notifications and for services
 * without blocks. What people said is in code, where nothing is markup, a mention or a link.
 */
export function slackBody(notice: Notice): string {
  const { title, facts, problem, advice, links } = notice
  const head = `*${title}*\n${facts.map(partText).join(' · ')}`
  const texts = [
    head,
    ...(problem === null ? [] : [problemText(problem)]),
    ...(advice === null ? [] : [advice]),
  ]
  const ofLinks = links.map(({ label, url }) => `<${escaped(url)}|${escaped(label)}>`).join(' · ')
  // Slack refuses an empty text.
  const ways = ofLinks === '' ? [] : [ofLinks]
  return JSON.stringify({
    text: [...texts, ...ways].join('\n'),
    blocks: [
      ...texts.map((text) => ({ type: 'section', text: markup(text) })),
      ...ways.map((text) => ({ type: 'context', elements: [markup(text)] })),
    ],
    unfurl_links: false,
    unfurl_media: false,
  })
}

/** `verbatim` keeps Slack from making links and mentions of names. */
const markup = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

function partText(part: Part): string {
  return typeof part === 'string' ? part : `\`${inCode(plainLine(part.said), maxFact)}\``
}

function problemText(problem: string): string {
  const lines = problem.split('\n').map(plainLine)
  return `\`\`\`${inCode(lines.join('\n'), maxProblem)}\`\`\``
}

/** Never empty, which would be no code. */
function inCode(text: string, most: number): string {
  return cutEscaped(text, most, (character) => (character === '`' ? 'ˋ' : escaped(character))) || '-'
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '')
}
