package import LinuxPlatform
import Session
import Vocabulary

/// A command waits for a stream of a name, and takes it instead of the files that streams go to otherwise.
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

    /// The first that fits; nothing is asked of it after that.
    ///
    /// - Returns: whether it takes it; who waited may just have gone
    func give(_ stream: IncomingStream, _ peer: PeerTag) -> Bool {
        arrival.resume(with: .success((stream, peer)))
    }

    /// Waits for it, has `begin` told whose it is, and hands it to the sink from its beginning to its end.
    ///
    /// - Returns: what was wrong with it, where its end is missing
    package func take(
        _ begin: @Engine @Sendable (PeerTag) async throws -> Void,
        into sink: @escaping Household.Sink
    ) async throws -> (any Error)? {
        let (stream, peer) = try await arrived()
        do {
            try await begin(peer)
            return try await StreamTaking(household, stream, peer).into(sink)
        } catch {
            // The writer learns that the reader has gone.
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
