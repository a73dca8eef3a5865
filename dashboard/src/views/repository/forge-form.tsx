'use client'
/** The texts to paste at a forge, so that it sends what is pushed there. */
import { Snippet } from '@/ui/copy'

export type Provider = 'github' | 'gitlab' | 'gitea'

/** The kinds of forges, as a field offers them. */
export const providers = [
  { value: '', label: 'By its address' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'gitea', label: 'Gitea or Forgejo' },
]

/** The kind that a value of the field stands for. */
export function providerOf(value: string | null | undefined): Provider | undefined {
  return (['github', 'gitlab', 'gitea'] as const).find((each) => each === value)
}

/** In base64, after the prefix by which GitLab knows the form (Standard Webhooks). */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** Where each forge has its form. */
const forms: Record<Provider, { place: string; field: string; others: string }> = {
  github: {
    place: 'At GitHub, in the repository: Settings, Webhooks, Add webhook.',
    field: 'Payload URL',
    others: 'Content type: application/json. Events: Pushes, Pull requests, Branch or tag deletion.',
  },
  gitlab: {
    place: 'At GitLab, in the project: Settings, Webhooks, Add new webhook.',
    field: 'URL',
    others: 'Trigger: Push events and Merge request events.',
  },
  gitea: {
    place: 'In the repository: Settings, Webhooks, Add Webhook, Gitea (or Forgejo).',
    field: 'Target URL',
    others: 'Content type: application/json. Events: Push, Delete, Pull Request and its Synchronized.',
  },
}

/** Where the form is. */
export function formPlace(provider: Provider): string {
  return forms[provider].place
}

type Props = { provider: Provider; hookUrl: string; secret: string }

export function ForgeForm({ provider, hookUrl, secret }: Props) {
  const { field, others } = forms[provider]
  return (
    <>
      <Pasted label={field} text={hookUrl} />
      <Pasted label="Secret" text={secret} />
      <p>{others}</p>
    </>
  )
}

function Pasted({ label, text }: { label: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium">{label}</h3>
      <Snippet text={text} label={`Copy: ${label}`} />
    </div>
  )
}
