"""A second implementation of Huddle's protocols, written from docs/*-protocol.md and docs/*-format.md alone."""
