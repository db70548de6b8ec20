# The server, its workers and its tools as one binary on a small system. Build: docker build -t mawe .
FROM rust:1.95-bookworm AS chef
RUN cargo install --locked --version 0.1.78 cargo-chef
WORKDIR /src

FROM chef AS plan
COPY . .
RUN cargo chef prepare --recipe-path recipe.json

# The libraries are a layer of their own, which stays until a manifest changes.
FROM chef AS build
COPY --from=plan /src/recipe.json recipe.json
RUN cargo chef cook --profile dist --locked --package mawe-server --bin mawe --recipe-path recipe.json
COPY . .
RUN cargo build --profile dist --locked --package mawe-server --bin mawe && mkdir -p /data/endgame

# The C library, certificates and time zones: no shell, no package manager. Its user `nonroot` has the number 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/target/dist/mawe /usr/local/bin/mawe
# A new volume takes its owner from the folder that it is put on.
COPY --from=build --chown=65532:65532 /data /var/lib/mawe
USER 65532:65532
WORKDIR /var/lib/mawe
# Without another address, an SQLite file on the volume.
ENV MAWE_LISTEN=0.0.0.0:8080 \
    MAWE_DATABASE=sqlite:/var/lib/mawe/mawe.sqlite \
    MAWE_DATA_DIR=/var/lib/mawe
VOLUME /var/lib/mawe
EXPOSE 8080
# Of a server, or of a worker that has MAWE_HEARTBEAT.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["mawe", "health"]
# Rooms are told and sockets closed on SIGTERM, which needs the binary itself to be process 1.
ENTRYPOINT ["mawe"]
CMD ["serve"]
