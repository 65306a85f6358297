import Testing

/// Attacks of a hostile peer. They run one after the other and apart from all other tests; `make test` does that. They
/// measure the memory of the whole process and the time until honest peers are served.
@Suite("Hostile peers", .serialized)
enum HostileSuites {}
