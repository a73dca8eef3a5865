/** Reads the body of a delivery. */
import { ZodError } from 'zod'
import { AppError, invalidField } from '../../../lib/errors.ts'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import { forgeNames } from '../../projects/forge-names.ts'
import type { ForgeEvent } from './event.ts'
import { readGithubEvent } from './github.ts'
import { readGitlabEvent } from './gitlab.ts'

type ReceivedEvent = {
  provider: Forge
  /** Its name, as verified with the delivery. */
  event: string
  /** The header `Content-Type`. */
  contentType: string | undefined
  body: Buffer
}

/**
 * The event in a verified delivery, in which fields that nobody needs may be anything.
 * @throws AppError `invalid_input` with the field that isn't what the forge documents, or where the body is
 * neither JSON nor, of GitHub and Gitea, a form with JSON in `payload`.
 */
export function readEvent({ provider, event, contentType, body }: ReceivedEvent): ForgeEvent {
  const payload = parseBody({ provider, contentType, body })
  try {
    return provider === 'gitlab' ? readGitlabEvent(event, payload) : readGithubEvent(event, payload)
  } catch (error) {
    const [issue] = error instanceof ZodError ? error.issues : []
    if (!issue) throw error
    const path = issue.path.join('.') || 'body'
    throw invalidField(path, `${issue.message}. This is not what ${forgeNames[provider]} documents`, error)
  }
}

function parseBody({ provider, contentType, body }: Omit<ReceivedEvent, 'event'>): unknown {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';', 1)
  const isForm = type.trim() === 'application/x-www-form-urlencoded'
  if (isForm && provider === 'gitlab') throw noJson()
  if (!isForm && type.trim() !== 'application/json') throw noJson()
  const text = isForm ? new URLSearchParams(body.toString()).get('payload') : body.toString()
  try {
    return JSON.parse(text ?? '')
  } catch (cause) {
    throw noJson(cause)
  }
}

function noJson(cause?: unknown): AppError {
  return new AppError('invalid_input', 'The body is not JSON: set its content type to application/json.', {
    cause,
  })
}
