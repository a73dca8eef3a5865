/** Short words for states, told apart by colour and word. */
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'
import { Spinner } from './spinner'

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'neutral'

const tones: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  busy: 'bg-accent-soft text-accent',
  neutral: 'bg-sunken text-dim',
}

/** A word on a coloured ground. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

const states: Record<string, { tone: Tone; word: string }> = {
  queued: { tone: 'warn', word: 'Queued' },
  building: { tone: 'busy', word: 'Building' },
  ready: { tone: 'good', word: 'Ready' },
  error: { tone: 'bad', word: 'Failed' },
  canceled: { tone: 'neutral', word: 'Canceled' },
}

/** The state of a deployment. States may be added within `/v1`: an unknown one shows as it is. */
export function StateBadge({ state, live = false }: { state: string; live?: boolean }) {
  const { tone, word } = states[state] ?? { tone: 'neutral', word: state }
  return (
    <Badge tone={tone}>
      {state === 'building' && <Spinner />}
      {live ? 'Live' : word}
    </Badge>
  )
}
