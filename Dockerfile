# Held by its digest: the multi-architecture index of this tag, as public repositories recorded it in October 2026. A tag can
# be moved, a digest cannot: an image that differs is refused. `.ci/image` gives a stand-in, because it has no registry.
ARG BASE=docker.io/library/node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools tools
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src src
# The driver of PostgreSQL, which others install beside the package, is part of the image.
RUN npm run -s build \
 && npm pkg set "dependencies.pg=$(node -p 'require("./package.json").devDependencies.pg')" && npm pkg delete devDependencies.pg \
 && npm prune --omit=dev --omit=optional --ignore-scripts

FROM ${BASE}
LABEL org.opencontainers.image.title="openactive-ical" \
      org.opencontainers.image.description="The bridge from OpenActive feeds to everybody's calendar" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 OPENACTIVE_ICAL_DATA=/data
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY fixtures/feeds fixtures/feeds
COPY LICENSE README.md ./
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without arguments it shows the samples; `serve --feed URL` (or any other command) takes their place.
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve", "--samples", "--data", "/data/samples"]
