import Ledger
import LinuxPlatform
import TestSupport
import Vocabulary

/// A ledger in a folder of its own that goes with the value.
struct LedgerKit {
    let temporary = TemporaryFolder()
    var path: String { temporary.path(of: "ledger") }
    var file: String { path + "/ledger.sqlite" }

    func open() async throws -> Ledger { try await Ledger.open(at: path) }
}

/// A peer whose id begins with a byte and goes on with another.
func peerID(_ first: UInt8, _ rest: UInt8 = 0) -> PeerID {
    guard let id = PeerID(bytes: [first] + [UInt8](repeating: rest, count: 31)) else { preconditionFailure("32 bytes") }
    return id
}

func someTime(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: 1_700_000_000 + seconds) }

/// The code of the error that a piece of work ends with; nil where it succeeds.
func code(of work: () async throws -> Void) async -> ErrorCode? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? any ExplainedError)?.code ?? "test.unexplained"
    }
}
