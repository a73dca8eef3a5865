/** Whether the clock can be trusted. */
import { hostname } from 'node:os'
import type { RemovalClock } from '../../../stores/clock/removal.ts'
import type { Alert } from './alert.ts'
import { daysOf, spanText } from './time-span.ts'

/** Below it nothing notices: signatures of requests to a bucket fail after fifteen minutes. */
const mostOffMs = 60_000

type Clocks = {
  removal: Pick<RemovalClock, 'jumpMs'>
  /** That of the installation: the database's, where nodes share one. */
  clockMs: () => number
  /** This machine's. */
  ownMs: () => number
}

/** The alerts of the installation's clock, and of this machine's beside it. */
export function lookAtClocks({ removal, clockMs, ownMs }: Clocks): Alert[] {
  const jumpMs = removal.jumpMs()
  const offMs = ownMs() - clockMs()
  return [
    ...(jumpMs > 0 ? [jumpAlert(jumpMs)] : []),
    ...(Math.abs(offMs) >= mostOffMs ? [offAlert(offMs)] : []),
  ]
}

function jumpAlert(jumpMs: number): Alert {
  return {
    name: 'clock_jumped',
    place: 'the installation',
    figure: daysOf(jumpMs),
    unit: 'days_ahead',
    isOfMachine: false,
    message:
      `The clock is ${spanText(jumpMs)} ahead of when this installation last ran, so nothing expires. ` +
      'Correct it, or accept it with: svc admin clock accept.',
  }
}

function offAlert(offMs: number): Alert {
  const direction = offMs > 0 ? 'ahead of' : 'behind'
  return {
    name: 'clock_off',
    place: hostname(),
    figure: Math.round(offMs / 1_000),
    unit: 'seconds_off',
    isOfMachine: true,
    message:
      `The clock of ${hostname()} is ${spanText(Math.abs(offMs))} ${direction} the database's. ` +
      'Correct it, for instance by NTP: certificates and requests to a bucket are judged by it.',
  }
}
