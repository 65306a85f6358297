import CommandTable
import Control
import Household
import Ledger
import LinuxPlatform
import Session

extension Counterpart {
    /// Whom a person means who may have read the name in `huddle peers`: the daemon sees who is there. Nil where Ctrl-C ended the wait for it.
    static func meant(
        _ typed: String,
        in ledger: Ledger,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> MeantPeer? {
        try await unlessSignalled(signals) {
            try await Acquaintances(ledger).find(typed) {
                guard let daemon = daemon(given, telling: console) else { return nil }
                return try await peers(of: daemon)
            }
        }
    }

    @Engine
    private static func peers(of daemon: ControlConnection) async throws -> [PeerTag] {
        let lines = try await daemon.news(ControlQuestion("GET", ["v1", "peers"]))
        var peers: [PeerTag] = []
        while let news = try await lines.next() { peers += [news.peer].compactMap(\.self) }
        return peers
    }
}
