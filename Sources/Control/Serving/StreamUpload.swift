import Household
import LinuxPlatform
import Session
import Vocabulary

/// The upload of an outgoing stream, which a local program writes and a peer reads.
@Engine
final class StreamUpload {
    private let stream: OutgoingStream
    private let ended = Resumption<UInt64>()
    private var isTaken = false

    init(_ stream: OutgoingStream) {
        self.stream = stream
    }

    /// Waits until the peer has read all bytes. Returns their number.
    func end() async throws -> UInt64 { try await ended.valueUnlessCancelled() }

    /// Claims the writing side. Returns true for the first writer only.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Sends all bytes, no faster than the peer reads.
    func pour(_ upload: APIRequest.Upload) async throws -> UInt64 {
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
            // The peer must not take an interruption for the end.
            await stream.abort(because: .lost)
            ended.resume(with: .failure(error is CancellationError ? HouseholdError.feederLeft : error))
            throw error
        }
    }
}

extension HouseholdError {
    fileprivate static let feederLeft = HouseholdError(
        "control.feeder-left",
        "the program that writes the stream stopped before its end",
        nextStep: "send it again; an interrupted stream does not resume"
    )
}
