"""What every local Supabase stack has in common, and projects therefore hard-code. Public: for loopback only."""

JWT_SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
PUBLISHABLE_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
SECRET_KEY = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"
KEY_ISSUER = "supabase-demo"
KEY_EXPIRES_AT = 1983812996
POSTGRES_PASSWORD = "postgres"
S3_ACCESS_KEY = "625729a08b95bf1b7ff351a663f3a23c"
S3_SECRET_KEY = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
S3_REGION = "local"
VAULT_ROOT_KEY = "d4dc5b6d4a1d6a10b2c1e76112c994d65db7cec380572cc1839624d4be3fa275"
