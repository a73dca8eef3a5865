/** A small chart without axes. */

type SparklineProps = {
  values: readonly number[]
  /** The name of the values, for screen readers. */
  label: string
}

const [width, height] = [240, 32]

/** A line of the values from the oldest to the newest, as wide as its place. */
export function Sparkline({ values, label }: SparklineProps) {
  const highest = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) => `${index * step},${height - 1 - (value / highest) * (height - 3)}`,
  )
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="h-8 w-full text-accent"
    >
      <path d={`M0,${height} L${points.join(' ')} L${width},${height}Z`} className="fill-accent-soft" />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
