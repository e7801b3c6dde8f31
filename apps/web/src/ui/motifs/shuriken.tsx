/** A four-pointed throwing star, two facets to a blade, in the colour of the text around it. */
export function Shuriken({ size, className }: { size?: number; className?: string | undefined }) {
  return (
    <svg
      className={className}
      {...(size === undefined ? {} : { width: size, height: size })}
      viewBox="0 0 48 48"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {/* The whole star with its hole, then the shaded facets. */}
      <path
        fillRule="evenodd"
        d="M24 0 29 16.5 31.5 19 48 24 31.5 29 29 31.5 24 48 19 31.5 16.5 29 0 24 16.5 19 19 16.5ZM24 20.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6Z"
      />
      <path
        fill="var(--facet)"
        fillOpacity=".42"
        d="M24 0 29 16.5 24 17.5ZM48 24 31.5 29 30.5 24ZM24 48 19 31.5 24 30.5ZM0 24 16.5 19 17.5 24Z"
      />
    </svg>
  )
}
