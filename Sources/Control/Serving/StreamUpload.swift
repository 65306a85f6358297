import Household
import LinuxPlatform
import Session
import Vocabulary

/// A stream to a peer that waits for its bytes.
@Engine
final class Pouring {
    private let stream: OutgoingStream
    private let ended = Resumption<UInt64>()
    private var isTaken = false

    init(_ stream: OutgoingStream) {
        self.stream = stream
    }

    /// How many bytes it had, once all were read over there.
    func end() async throws -> UInt64 { try await ended.valueUnlessCancelled() }

    /// Whether somebody feeds it from now on; nobody else does then.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Carries all of it over, no faster than it is read there.
    func pour(_ upload: ControlQuestion.Upload) async throws -> UInt64 {
        do {
            var count: UInt64 = 0
            while let bytes = try await upload() {
                try await stream.write(bytes)
                count += UInt64(bytes.count)
            }
            try await stream.finish()
            ended.resume(with: .success(count))
            return count
        } catch {
            // What is missing must not look like the end over there.
            await stream.abort(because: .lost)
            ended.resume(with: .failure(error is CancellationError ? HouseholdError.feederLeft : error))
            throw error
        }
    }
}

extension HouseholdError {
    fileprivate static let feederLeft = HouseholdError(
        "control.feeder-left",
        "what fed the stream went away before its end",
        nextStep: "send it again; a stream that broke off is not resumed"
    )
}
