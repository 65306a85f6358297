/// Lets others run within a wait for what comes of them.
///
/// A test whose time is over is cancelled. Who waited on for what never comes would keep all tests of the program from their end.
public nonisolated(nonsending) func othersTurn() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
