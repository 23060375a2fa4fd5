/** Applications that sign the member in with this account: their request, the answer, and what was granted (§15.6). */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { securityKeys } from './keys'

export interface AskingApplication {
  name: string | undefined
  redirectUri: string
  email: string
  scopes: string[]
}

/** Used, ended, somebody else's, or never there. */
export class RequestGone extends Error {}

const goneStatuses: readonly unknown[] = [400, 404]

const failure = (error: { status?: number | undefined }): unknown =>
  goneStatuses.includes(error.status) ? new RequestGone() : error

/** For a member with a second factor: the application's session is as good as the one that consents. */
async function confirmMember(authorizationId: string): Promise<void> {
  await supabase.rpc('confirm_application', { authorization_id: authorizationId }).throwOnError()
}

/** Who asks for what; or, when the member has let it in before, where to go. Asking takes the request for this member. */
export const authorizationQuery = (authorizationId: string) =>
  queryOptions({
    queryKey: [...securityKeys.all, 'authorization', authorizationId] as const,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: false,
    queryFn: async (): Promise<{ asking: AskingApplication } | { target: string }> => {
      const { data, error } = await supabase.auth.oauth.getAuthorizationDetails(authorizationId)
      if (error) throw failure(error)
      if ('redirect_url' in data) {
        await confirmMember(authorizationId)
        return { target: data.redirect_url }
      }
      const { client, redirect_uri, scope, user } = data
      return {
        asking: { name: client.name, redirectUri: redirect_uri, email: user.email, scopes: scope.split(' ') },
      }
    },
  })

/** Where the browser takes the answer. */
export async function answerApplication(authorizationId: string, approved: boolean): Promise<string> {
  const { oauth } = supabase.auth
  const options = { skipBrowserRedirect: true }
  if (approved) await confirmMember(authorizationId)
  const { data, error } = await (approved
    ? oauth.approveAuthorization(authorizationId, options)
    : oauth.denyAuthorization(authorizationId, options))
  if (error) throw failure(error)
  return data.redirect_url
}

export interface Grant {
  clientId: string
  name: string | undefined
  scopes: string[]
  grantedAt: string
}

/** Null: no application can be let in here. */
export const grantsQuery = queryOptions({
  queryKey: securityKeys.grants,
  refetchOnMount: 'always',
  queryFn: async (): Promise<Grant[] | null> => {
    const { data, error } = await supabase.auth.oauth.listGrants()
    if (error?.code === 'feature_disabled') return null
    if (error) throw error
    return data.map(({ client, scopes, granted_at }) => ({
      clientId: client.id,
      name: client.name,
      scopes,
      grantedAt: granted_at,
    }))
  },
})

export async function revokeGrant(clientId: string): Promise<void> {
  const { error } = await supabase.auth.oauth.revokeGrant({ clientId })
  if (error && error.code !== 'oauth_consent_not_found') throw error
}
