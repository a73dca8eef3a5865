/** Times and dates below a chart. */
import { timeTicks } from './time-ticks'

/** As many fit beside each other on a phone. */
const mostTicks = 7

export function TimeAxis({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  if (toMs <= fromMs) return null
  return (
    <div aria-hidden="true" className="relative h-9 text-dim text-sm leading-4">
      {timeTicks(fromMs, toMs, mostTicks).map(({ timeMs, time, date }) => {
        const percent = ((timeMs - fromMs) / (toMs - fromMs)) * 100
        return (
          <span
            key={timeMs}
            className="absolute top-0 whitespace-nowrap pt-1"
            // The outer labels stay inside.
            style={{ left: `${percent}%`, transform: `translateX(-${percent}%)` }}
          >
            {time !== undefined && <span className="block">{time}</span>}
            {date !== undefined && <span className="block font-medium text-text">{date}</span>}
          </span>
        )
      })}
    </div>
  )
}
