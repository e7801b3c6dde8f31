# 忍板 as a container image. docs/container.md says how to build and run it, alone or with compose.yaml.
#
# The base needs glibc (the embedded PostgreSQL does not run on Alpine's musl), Node 26, npm and apt-get.
ARG NODE_IMAGE=node:26-trixie-slim

# Only the files that decide which packages are installed, so that a change of the sources does not
# install them again.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/cards/package.json packages/cards/
COPY packages/contract/package.json packages/contract/
COPY packages/dat/package.json packages/dat/
COPY packages/newsroom/package.json packages/newsroom/
COPY packages/text/package.json packages/text/
COPY packages/worker-thread/package.json packages/worker-thread/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/

FROM manifests AS build
RUN npm ci
COPY . .
RUN npm run build

FROM manifests AS production
RUN npm ci --omit=dev --workspace apps/server

FROM ${NODE_IMAGE}
# tini is process 1: it forwards signals, and reaps children of a killed embedded PostgreSQL.
# PostgreSQL refuses to run as root, and as a user without a name.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 shinobi \
  && useradd --uid 10001 --gid shinobi --home-dir /data --no-create-home --shell /usr/sbin/nologin shinobi \
  && install --directory --owner shinobi --group shinobi --mode 0700 /data
WORKDIR /app
COPY --from=production /app ./
COPY --from=build /app/apps/server/dist apps/server/dist
COPY --from=build /app/apps/web/dist apps/web/dist
# The command line programs (npm run admin, news, …) and the worker thread that parses articles run
# from the sources.
COPY packages packages
COPY apps/server/src apps/server/src
COPY scripts scripts
COPY LICENSE CHANGELOG.md ./
# The server finds the web app's bundles by its package. The command line programs see all packages
# as installed, and the base's Node in place of the pinned one.
RUN ln -s ../../apps/web node_modules/@shinobi/web \
  && ln -s "$(command -v node)" node_modules/.bin/node \
  && node scripts/install.mjs --installed \
  # Creates the links that the embedded PostgreSQL needs where npm runs no install scripts; fails
  # where there is none for this machine.
  && node -e "import('./apps/server/src/db/embedded/binaries.ts').then((binaries) => binaries.findBinaries())"

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# npm writes no logs and does not check for updates: the image may be read-only.
ENV npm_config_logs_max=0 npm_config_update_notifier=false
USER shinobi
# The database without DATABASE_URL, pictures, the secret.
VOLUME /data
EXPOSE 3000
# Graceful stop: open requests are answered, sockets are closed, the database is stopped. Takes at
# most 10 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "apps/server/dist/server/main.js"]
