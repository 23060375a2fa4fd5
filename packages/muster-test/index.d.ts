export interface StackOptions {
  url?: string
  secretKey?: string
  publishableKey?: string
}
export interface BranchOptions extends StackOptions {
  name?: string
  from?: string
}
export interface Fault {
  path?: string
  method?: string
  nth?: number
  times?: number
  delay_ms?: number
  status?: number
  body?: unknown
  drop?: boolean
  websocket?: 'new' | 'open'
  close?: number
}
export interface Mail {
  id: string
  subject: string
  text: string
  html: string
  to: { name: string; address: string }[]
}
export type Turn = { set?: string; advance_s?: number; stop?: true; go?: true }
export class Branch {
  readonly name: string
  readonly url: string
  readonly siteUrl: string
  readonly mailUrl: string
  readonly databaseUrl: string
  readonly publishableKey: string
  readonly secretKey: string
  reset(): Promise<void>
  settle(timeoutS?: number): Promise<void>
  expectMail(wanted?: { to?: string; query?: string; timeoutS?: number }): Promise<Mail>
  turnClock(how: Turn): Promise<{ now: string; is_stopped: boolean }>
  addFault(fault: Fault): Promise<void>
  clearFaults(): Promise<void>
  delete(): Promise<void>
}
export function createBranch(options?: BranchOptions): Promise<Branch>
// Typed by the runner: its `test`, with `branch` among the fixtures.
export function withBranch<T extends { extend: (...fixtures: any[]) => any }>(test: T, options?: BranchOptions): any
export function withBranchPages<T extends { extend: (...fixtures: any[]) => any }>(test: T, options?: BranchOptions): any
