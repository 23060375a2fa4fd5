# PostgreSQL and every service in one process, for small servers: the profile `small`. Context: the checkout.
FROM node:22-bookworm-slim AS node
WORKDIR /app/supabase/tools/postgres
COPY supabase/tools/postgres/package.json supabase/tools/postgres/package-lock.json supabase/tools/postgres/.npmrc ./
RUN npm ci --no-audit --no-fund && cp package-lock.json node_modules/.muster-lock
WORKDIR /app/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run --silent build && rm -rf node_modules

FROM python:3.11-slim-bookworm AS build
WORKDIR /app
COPY requirements.lock ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock

FROM python:3.11-slim-bookworm
ENV PATH=/venv/bin:$PATH PYTHONPATH=/app/cli:/app/edge_functions:/app/supabase PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    MUSTER_WEB_DIST=/app/web/dist
RUN useradd --system --uid 10001 --create-home --shell /usr/sbin/nologin muster \
    && install -d -o muster -g muster -m 0700 /home/muster/state
WORKDIR /app
COPY --from=build /venv /venv
COPY --from=node /app/supabase/tools/postgres ./supabase/tools/postgres
COPY --from=node /app/web/dist ./web/dist
COPY supabase/muster.toml ./supabase/
COPY supabase/config ./supabase/config
COPY supabase/migrations ./supabase/migrations
COPY supabase/emulator ./supabase/emulator
COPY edge_functions ./edge_functions
COPY cli ./cli
COPY sql ./sql
COPY supabase/migrations ./supabase/migrations
USER 10001
EXPOSE 8000
CMD ["python", "-m", "muster_cli", "up", "--no-seed"]
