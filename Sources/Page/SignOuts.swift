import LinuxPlatform

/// Ends running responses when their browser is signed out. Otherwise a telephone that was signed out would show its
/// view until the next event.
@Engine
final class SignOuts {
    private var waiting: [Int: Resumption<Void>] = [:]
    private var lastNumber = 0

    /// Wakes each running response, so that it checks again if its browser is signed in.
    func tell() { for turn in waiting.values { turn.resume(with: .success(())) } }

    /// Reads the next bytes of a response.
    ///
    /// - Throws: `CancellationError` once the browser is signed out
    func whileSignedIn(
        _ isSignedIn: @escaping @Sendable () -> Bool,
        _ read: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws -> [UInt8]? {
        let bytes = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await read() }
            group.addTask {
                while isSignedIn() { try await self.turn() }
                throw CancellationError()
            }
            return try await group.next() ?? nil
        }
        // Without this check, a browser that was signed out meanwhile would still receive events.
        guard isSignedIn() else { throw CancellationError() }
        return bytes
    }

    private func turn() async throws {
        lastNumber += 1
        let (number, turn) = (lastNumber, Resumption<Void>())
        waiting[number] = turn
        defer { waiting[number] = nil }
        try await turn.valueUnlessCancelled()
    }
}
