FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The image's own Node is the pinned major, so the Node of npm's pinned package need not be fetched.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run -s build \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/node node_modules/.bin/node

FROM node:24-bookworm-slim
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
