/** The state of a server, as a word. */
import { Badge, type Tone } from '@/ui/badge'

const states: Record<string, { tone: Tone; word: string }> = {
  stopped: { tone: 'neutral', word: 'Stopped' },
  starting: { tone: 'busy', word: 'Starting' },
  running: { tone: 'good', word: 'Running' },
  crashed: { tone: 'bad', word: 'Crashed' },
}

/** States may be added within `/v1`: an unknown one shows as it is. */
export function ServerState({ state }: { state: string }) {
  const { tone, word } = states[state] ?? { tone: 'neutral', word: state }
  return <Badge tone={tone}>{word}</Badge>
}
