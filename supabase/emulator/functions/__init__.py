"""Functions in TypeScript (`supabase/functions/<slug>/index.ts`), each in a process of the real Deno; or in Python.

The dialect is that of Supabase's edge runtime: https://github.com/supabase/edge-runtime, and the main service of
https://github.com/supabase/cli that decides what `/functions/v1/<slug>` answers.
"""
