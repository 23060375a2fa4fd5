# The functions service. Context: the checkout.
FROM python:3.11-slim-bookworm AS build
WORKDIR /app
COPY requirements.lock ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock

FROM python:3.11-slim-bookworm
ENV PATH=/venv/bin:$PATH PYTHONPATH=/app/cli:/app/edge_functions:/app/supabase PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin muster
WORKDIR /app
COPY --from=build /venv /venv
COPY supabase/config ./supabase/config
COPY supabase/emulator ./supabase/emulator
COPY edge_functions ./edge_functions
USER 10001
EXPOSE 9000
CMD ["python", "-m", "muster_functions"]
