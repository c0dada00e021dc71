# syntax=docker/dockerfile:1
FROM rust:1.95-bookworm AS rust
FROM node:22-bookworm-slim AS node

FROM golang:1.26-bookworm AS build
COPY --from=rust /usr/local/cargo /usr/local/cargo
COPY --from=rust /usr/local/rustup /usr/local/rustup
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
ENV CARGO_HOME=/usr/local/cargo RUSTUP_HOME=/usr/local/rustup PATH=/usr/local/cargo/bin:$PATH
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /src
# The native libraries first: they change seldom and take minutes.
COPY go.mod go.sum ./
COPY ensemble/onnx/native.sh ensemble/onnx/runtime.txt ensemble/onnx/
RUN ensemble/onnx/native.sh build/native
RUN go mod download
COPY . .
ARG VERSION=dev
RUN make build VERSION="$VERSION"

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --no-create-home pgdeid
COPY --from=build /src/build/native/libonnxruntime.so.1 /usr/local/lib/pgdeid/
COPY --from=build /src/bin/pgdeid /usr/local/bin/
COPY --from=build /src/bin/THIRD-PARTY-LICENSES /usr/local/share/doc/pgdeid/
COPY LICENSE NOTICE /usr/local/share/doc/pgdeid/
USER pgdeid
WORKDIR /etc/pgdeid
ENV PGDEID_CONFIG=/etc/pgdeid/pgdeid.yaml PGDEID_LOG_FORMAT=json
ENTRYPOINT ["pgdeid"]
CMD ["run"]
