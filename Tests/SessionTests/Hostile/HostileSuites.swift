import Testing

/// Attacks of a hostile peer. One after the other and apart from all other tests (`make test` runs them so), for they look at
/// the memory of the whole process and at how soon honest peers are served.
@Suite("Hostile peers", .serialized)
enum HostileSuites {}
