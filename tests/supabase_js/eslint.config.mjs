/** The rules of the web application's TypeScript, without React's. */
export { nodeTests as default } from '../../web/eslint.config.js'
