/// Lets other tasks run, in a loop that waits for their effect.
///
/// A test beyond its time limit is cancelled. A wait without end would then keep all tests of the program from ending.
public nonisolated(nonsending) func othersTurn() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
