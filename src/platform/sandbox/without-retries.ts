/** Keeps package managers from trying again where no network is. */

/** Variables of npm, pnpm, Yarn, pip, Cargo and Bundler, over which a build's own variables go. */
export const withoutRetries = {
  npm_config_fetch_retries: '0',
  pnpm_config_fetch_retries: '0',
  YARN_HTTP_RETRY: '0',
  PIP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
  BUNDLE_RETRY: '0',
}
