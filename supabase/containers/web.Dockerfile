# The web application, built once for every stack: where it is comes from /config.js at run time. Context: the checkout.
FROM node:22-alpine AS build
WORKDIR /web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run --silent build

FROM caddy:2.11.4-alpine AS caddy
# A plain copy has no file capability, so that the container may run with no privilege at all.
RUN cp /usr/bin/caddy /caddy

FROM alpine:3.22
# mailcap has the media types of fonts and manifests.
# hadolint ignore=DL3018
RUN apk add --no-cache mailcap && adduser -S -D -H -u 10001 muster
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
COPY --from=caddy /caddy /usr/bin/caddy
COPY supabase/containers/web.Caddyfile /etc/caddy/Caddyfile
COPY --from=build /web/dist /srv
USER 10001
EXPOSE 8080
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
