# The server as one binary on a small system. Build: docker build -t mawe .
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked --package mawe-server --bin mawe

FROM debian:bookworm-slim
# curl asks for the server's health.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --create-home --home-dir /var/lib/mawe mawe
COPY --from=build /src/target/dist/mawe /usr/local/bin/mawe
USER mawe
WORKDIR /var/lib/mawe
# Without another address, an SQLite file on the volume.
ENV MAWE_LISTEN=0.0.0.0:8080 \
    MAWE_DATABASE=sqlite:/var/lib/mawe/mawe.sqlite
VOLUME /var/lib/mawe
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD curl --fail --silent --show-error http://127.0.0.1:8080/readyz
# Rooms are told and sockets closed on SIGTERM, which needs the binary itself to be process 1.
ENTRYPOINT ["mawe"]
CMD ["serve"]
