/** Reports to a forge: the status of a commit, and one comment of a pull request that is kept up to date. */
import { z } from 'zod'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import type { ForgeFetch } from '../api/forge-fetch.ts'
import { type Outcome, outcomeOf, type Thing } from '../api/outcome.ts'
import { apiPlace } from '../api/repository-place.ts'
import { type ApiAnswer, createSend, parseAnswer } from '../api/send.ts'
import { type CommitStatus, pageLength, reportApi } from './api.ts'

export type ForgeClient = {
  setStatus(status: CommitStatus): Promise<Outcome>
  /** Edits the comment that begins with the marker, or writes it. */
  putComment(comment: PullRequestComment): Promise<Outcome>
}

type PullRequestComment = {
  number: number
  /** Which nobody sees: `<!-- svc:prj_1 -->` */
  marker: string
  /** Markdown. */
  body: string
}

type Options = {
  provider: Forge
  /** The web address of the repository, https. */
  url: string
  token: string
  fetch: ForgeFetch
  nowMs: () => number
}

/** The most pages of comments that are searched. */
const maxPages = 10

const userSchema = z.object({ id: z.int() })

const commentsSchema = z.array(
  z.object({
    id: z.int(),
    body: z.string().nullish(),
    user: userSchema.nullish(),
    /** GitLab's word for the same. */
    author: userSchema.nullish(),
  }),
)

type Comment = { id: number; body: string }

type Found = { comment: Comment | undefined } | { report: Outcome }

const undocumented: Outcome = {
  result: 'given_up',
  why: 'The response is not what the forge documents: set the web address of the repository.',
}

/** @throws AppError `invalid_input` for `url` or `token`. */
export function createForgeClient({ provider, url, token, fetch, nowMs }: Options): ForgeClient {
  const place = apiPlace({ provider, url, token })
  const api = reportApi(provider, place)
  const send = createSend({ place, fetch })
  let knownUser: Promise<number | undefined | Outcome> | undefined

  function judge(answer: ApiAnswer, thing: Thing): Outcome {
    return outcomeOf(answer, { provider, thing, nowMs: nowMs() })
  }

  /** The number of the token's user; undefined for a token that may not know, such as that of an app. */
  async function readUser(): Promise<number | undefined | Outcome> {
    const answer = await send(api.readUser())
    const report = judge(answer, 'comment')
    if (report.result === 'done') return parseAnswer(answer, userSchema)?.id
    const isUnknown = 'status' in answer && (answer.status === 403 || answer.status === 404)
    return isUnknown && report.result === 'given_up' ? undefined : report
  }

  async function findComment(number: number, marker: string): Promise<Found> {
    // Anybody can write a comment with the marker, which would be edited in their name.
    knownUser ??= readUser()
    const user = await knownUser
    if (typeof user === 'object') {
      knownUser = undefined
      return { report: user }
    }
    for (let page = 1; page <= maxPages; page += 1) {
      const answer = await send(api.listComments(number, page))
      const report = judge(answer, 'comment')
      if (report.result !== 'done') return { report }
      const comments = parseAnswer(answer, commentsSchema)
      if (comments === undefined) return { report: undocumented }
      const ours = comments.find(
        ({ body, user: writer, author }) =>
          body?.startsWith(marker) && (user === undefined || (writer ?? author)?.id === user),
      )
      if (ours) return { comment: { id: ours.id, body: ours.body ?? '' } }
      if (!api.isPaged || comments.length < pageLength) return { comment: undefined }
    }
    const why = `None of the first ${maxPages * pageLength} comments of the pull request is the one to edit.`
    return { report: { result: 'given_up', why } }
  }

  return {
    async setStatus(status) {
      const answer = await send(api.setStatus(status))
      return isSetAlready(answer) ? { result: 'done' } : judge(answer, 'status')
    },
    async putComment({ number, marker, body }) {
      const text = `${marker}\n\n${body}`
      const found = await findComment(number, marker)
      if ('report' in found) return found.report
      const { comment } = found
      if (comment?.body === text) return { result: 'done' }
      const request = comment ? api.editComment(number, comment.id, text) : api.createComment(number, text)
      return judge(await send(request), 'comment')
    },
  }
}

/** GitLab refuses a status that the commit has. */
function isSetAlready(answer: ApiAnswer): boolean {
  return 'status' in answer && answer.status === 400 && /cannot transition status/i.test(answer.text)
}
