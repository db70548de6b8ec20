"""The version of this package, by semantic versioning: its own, not that of the server."""

VERSION = "0.1.0"
