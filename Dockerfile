# An image for each program with only what it needs, and one with the tools of the compose file. docker-compose.yml names them, so
# `docker compose build` and `docker buildx bake` build all; `docker build --target gateway .` builds one. Node runs the TypeScript as it is.
# By digest where it has to be the same bytes: docs/operate/running.md.
ARG NODE_IMAGE=node:24.21.0-trixie-slim

# The packages that every program needs. Each image continues from here, so that they share these layers.
FROM ${NODE_IMAGE} AS common
ENV NODE_ENV=production
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
COPY tools/trim-drizzle.mjs tools/hardened.sh tools/
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
# pnpm with its store stays outside of the image. Without the optional packages: they are the pinned Node of a machine, and the image is one.
RUN --mount=type=cache,target=/pnpm CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/shared... --filter @pay/contract...
# Keys are mounted here. A volume that is mounted for the first time takes over the owner.
RUN mkdir -p /secrets/own && chown -R node:node /secrets
# The image is ready if its program says so. By bash: a Node for each look would cost more than what is looked at.
HEALTHCHECK --interval=5s --timeout=10s --retries=24 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/${PROBE_PORT:-9090} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r answer <&3 && [[ $answer == *' 200 '* ]]"]
# No core dumps, no inspector by signal, no code made of text: whatever runs in it (decisions/hardening).
ENTRYPOINT ["/app/tools/hardened.sh"]

FROM common AS gateway
# What is in it, for whoever asks: CycloneDX, in the image as /app/sbom.cdx.json.
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/gateway... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/gateway... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/gateway services/gateway
# V8's code of the program, so that no container compiles it again (decisions/speed). Without a configuration it ends
# once it is loaded. By the account and with the options that run it later: code of others is not used.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/gateway/src/main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]
CMD ["node", "services/gateway/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-gateway" org.opencontainers.image.description="the public API" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM common AS payments-program
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/payments... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/payments... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/payments services/payments
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/payments/src/main.ts 2>/dev/null; tools/hardened.sh node services/payments/src/checkout-main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]

FROM payments-program AS payments
CMD ["node", "services/payments/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-payments" org.opencontainers.image.description="payments, refunds, the ledger and the connections to banks" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM payments-program AS checkout
CMD ["node", "services/payments/src/checkout-main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-checkout" org.opencontainers.image.description="the buyer's pages" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM common AS bindings
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/bindings... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/bindings... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/bindings services/bindings
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/bindings/src/main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]
CMD ["node", "services/bindings/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-bindings" org.opencontainers.image.description="saved cards and recurring charges" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM common AS withdrawals
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/withdrawals... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/withdrawals... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/withdrawals services/withdrawals
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/withdrawals/src/main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]
CMD ["node", "services/withdrawals/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-withdrawals" org.opencontainers.image.description="USDT payout requests" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM common AS notifier
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/notifier... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/notifier... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/notifier services/notifier
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/notifier/src/main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]
CMD ["node", "services/notifier/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-notifier" org.opencontainers.image.description="signed callbacks" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM common AS console-program
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/console... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/console... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/console services/console
# The pages of the console and of the portal, once for good.
RUN node services/console/src/bundle.ts
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/console/src/main.ts 2>/dev/null; tools/hardened.sh node services/console/src/portal-main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]

FROM console-program AS console
USER root
COPY packages/sdk packages/sdk
COPY docs docs
# The documentation, once for good.
RUN node services/console/src/docs/make-site.ts
USER node
CMD ["node", "services/console/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-console" org.opencontainers.image.description="the operators' console" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM console-program AS portal
CMD ["node", "services/console/src/portal-main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-portal" org.opencontainers.image.description="the partner portal" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

FROM common AS sandbox-bank
RUN --mount=type=cache,target=/pnpm export CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store; npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile --filter @pay/sandbox-bank... && \
  npx -y pnpm@12.21.0 sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional --filter @pay/sandbox-bank... > sbom.cdx.json
COPY packages/contract packages/contract
COPY packages/shared packages/shared
COPY packages/signing packages/signing
COPY services/sandbox-bank services/sandbox-bank
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN tools/hardened.sh node services/sandbox-bank/src/main.ts 2>/dev/null; \
  [ "$(find .compile-cache -type f | wc -l)" -gt 300 ]
CMD ["node", "services/sandbox-bank/src/main.ts"]
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-sandbox-bank" org.opencontainers.image.description="a simulated bank, for TEST only" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"

# The tools of the compose file: its keys, its setup with all migrations, its edge and the demo partner. Not for production.
FROM common AS tools
RUN --mount=type=cache,target=/pnpm CI=true HOME=/pnpm pnpm_config_store_dir=/pnpm/store npx -y pnpm@12.21.0 install --prod --no-optional --frozen-lockfile
RUN for name in setup postgres rabbitmq demo-receiver bindings console portal gateway notifier payments checkout sandbox-bank withdrawals; \
  do mkdir -p "/secrets/$name"; done && chown -R node:node /secrets
COPY docs docs
COPY packages packages
COPY services services
COPY tools tools
USER node
ARG VERSION=unknown
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="pay-tools" org.opencontainers.image.description="keys, setup, edge and demo partner of the compose file" \
  org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${COMMIT}"
