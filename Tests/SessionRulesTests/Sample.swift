import SessionRules
import Vocabulary

/// Values for tests that need any value.
enum Sample {
    static let start = ContinuousClock.now
    static let small = peer(1)
    static let large = peer(2)
    static let fault = TransferFault(code: "resource.disk-full", message: "no room")

    static func peer(_ number: UInt8) -> PeerID {
        guard let peer = PeerID(bytes: [number] + [UInt8](repeating: 0, count: 31)) else { fatal("32 bytes are an id") }
        return peer
    }

    static func code(_ number: UInt32) -> PairingCode {
        guard let code = PairingCode(number: number) else { fatal("a code has six digits") }
        return code
    }

    private static func fatal(_ rule: String) -> Never { preconditionFailure(rule) }
}

extension ContinuousClock.Instant {
    /// The time a number of seconds after the start of all tests.
    static func at(_ seconds: Double) -> Self { Sample.start + .seconds(seconds) }
}
