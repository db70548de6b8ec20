# The server as one binary on a small system. Build: docker build -t mawe .
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked --package mawe-server --bin mawe

FROM debian:bookworm-slim
RUN useradd --system --user-group --create-home --home-dir /var/lib/mawe mawe
COPY --from=build /src/target/dist/mawe /usr/local/bin/mawe
USER mawe
WORKDIR /var/lib/mawe
# Without another address, an SQLite file on the volume.
ENV MAWE_LISTEN=0.0.0.0:8080 \
    MAWE_DATABASE=sqlite:/var/lib/mawe/mawe.sqlite
VOLUME /var/lib/mawe
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["mawe", "health"]
# Rooms are told and sockets closed on SIGTERM, which needs the binary itself to be process 1.
ENTRYPOINT ["mawe"]
CMD ["serve"]
