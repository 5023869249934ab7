# One image for every program of the system; the compose file gives each its command. Node runs the TypeScript as it is.
# By digest where it has to be the same bytes: docs/running.md.
ARG NODE_IMAGE=node:24.21.0-trixie-slim
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY tools/trim-drizzle.mjs tools/
COPY packages/cli/package.json packages/cli/
COPY packages/contract/package.json packages/contract/
COPY packages/sdk/package.json packages/sdk/
COPY packages/shared/package.json packages/shared/
COPY packages/signing/package.json packages/signing/
COPY services/bindings/package.json services/bindings/
COPY services/console/package.json services/console/
COPY services/gateway/package.json services/gateway/
COPY services/notifier/package.json services/notifier/
COPY services/payments/package.json services/payments/
COPY services/sandbox-bank/package.json services/sandbox-bank/
COPY services/withdrawals/package.json services/withdrawals/
# Without the optional packages: they are the pinned Node of a machine, and the image is one.
RUN CI=true npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile
# What is in it, for whoever asks: CycloneDX, in the image as /app/sbom.cdx.json.
RUN CI=true npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional > sbom.cdx.json

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
# A volume that is mounted here for the first time takes over the owner.
RUN for name in own setup postgres rabbitmq demo-receiver bindings console gateway notifier payments checkout sandbox-bank withdrawals; \
      do mkdir -p "/secrets/$name"; done && chown -R node:node /secrets
COPY --from=dependencies /app ./
COPY docs docs
COPY packages packages
COPY services services
COPY tools tools
# The pages of the console, once for good.
RUN node services/console/src/bundle.ts
# V8's code for every program, so that no container compiles it again (ADR 0177). Without a configuration each ends once it is
# loaded. By the account and with the options that run it later: code of others is not used.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN for main in services/*/src/main.ts services/payments/src/checkout-main.ts; do \
      tools/hardened.sh node "$main" 2>/dev/null; done; [ "$(find .compile-cache -type f | wc -l)" -gt 1000 ]
# No core dumps, no inspector by signal, no code made of text: whatever runs in it (ADR 0097).
ENTRYPOINT ["/app/tools/hardened.sh"]
