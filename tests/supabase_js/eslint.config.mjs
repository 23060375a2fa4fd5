/** The web application's TypeScript rules, without React's. */
export { nodeTests as default } from '../../web/eslint.config.js'
