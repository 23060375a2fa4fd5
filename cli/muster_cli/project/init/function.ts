// {slug}: answers at /functions/v1/{slug}.
Deno.serve(async (request) => {
  const { name } = await request.json().catch(() => ({ name: 'world' }))
  return Response.json({ message: `Hello ${name}!` })
})
