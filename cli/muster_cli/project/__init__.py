"""Somebody's Supabase project: its folder, its configuration, and what the services are told because of it."""
