package import LinuxPlatform
import Session
import Vocabulary

/// The wait of a command for a stream of a name. The command takes the stream in place of the inbox.
@Engine
package final class StreamReception {
    private let household: Household
    private let name: Label
    private let only: PeerID?
    private let arrival = Resumption<(stream: IncomingStream, peer: PeerTag)>()

    init(of household: Household, _ name: Label, from only: PeerID?) {
        self.household = household
        self.name = name
        self.only = only
    }

    func fits(_ stream: IncomingStream) -> Bool { stream.name == name && (only == nil || only == stream.peer) }

    /// Offers the first stream that fits. Later streams are not offered.
    ///
    /// - Returns: true if the command takes it; the command may have just ended
    func give(_ stream: IncomingStream, _ peer: PeerTag) -> Bool {
        arrival.resume(with: .success((stream, peer)))
    }

    /// Waits for the stream, calls `begin` with its sender, and passes it to the sink from beginning to end.
    ///
    /// - Returns: the fault of the stream, if its end is missing
    package func take(
        _ begin: @Engine @Sendable (PeerTag) async throws -> Void,
        into sink: @escaping Household.Sink
    ) async throws -> (any Error)? {
        let (stream, peer) = try await arrived()
        do {
            try await begin(peer)
            return try await StreamReceiver(household, stream, peer).into(sink)
        } catch {
            // The sender learns that the reader has gone.
            await stream.abort()
            throw error
        }
    }

    private func arrived() async throws -> (stream: IncomingStream, peer: PeerTag) {
        do {
            return try await arrival.valueUnlessCancelled()
        } catch {
            household.withdraw(self)
            throw error
        }
    }
}
