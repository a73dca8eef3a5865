/** The browser's part of passkeys. The library is loaded where one is made or used. */
import type { Inputs, Outputs } from '@/lib/api'
import { Refusal } from '@/lib/refusal'

type Creation = Outputs['account']['startPasskey']
type Request = Outputs['account']['startPasskeyProof']

/** Makes one. @throws Refusal where there is none in the end. */
export async function makePasskey(
  optionsJSON: Creation,
): Promise<Inputs['account']['addPasskey']['credential']> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON }).catch(refuse)
}

/** Uses one. @throws Refusal where none is used in the end. */
export async function answerWithPasskey(
  optionsJSON: Request,
): Promise<NonNullable<Inputs['account']['removePasskey']['passkey']>> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return startAuthentication({ optionsJSON }).catch(refuse)
}

const sentences: Record<string, string> = {
  InvalidStateError: 'This device has a passkey of yours for this server already.',
  NotAllowedError: 'No passkey was used: you cancelled, or there is none here.',
  SecurityError: 'Passkeys work only at the address that this server is set up with (SVC_URL).',
}

function refuse(error: unknown): never {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  throw new Refusal(sentences[name] ?? message)
}
