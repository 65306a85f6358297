import Diagnosis
import Discovery
import Glibc
import Ledger
import LinuxPlatform
import Transport
import Vocabulary

/// The peers, policies and games in the ledger. Reading it creates no files.
struct KeptLook: Sendable {
    private(set) var own: PeerID?
    private(set) var peers: [KnownPeer] = []
    private(set) var common = Policy.ask
    private(set) var waiting: [PeerID: InstanceName?] = [:]
    private(set) var sets: [(name: String, path: String)] = []
    /// The last addresses at which this machine reached known peers.
    private(set) var addresses: [SocketAddress] = []
    private(set) var findings: [Finding] = []

    private static let mostPeers = 32

    static func look(in state: String) async -> KeptLook {
        var look = KeptLook()
        guard access("\(state)/\(Identity.fileName)", F_OK) == 0 else { return look }
        look.own = try? await runBlocking("identity") { try Identity.load(in: state).peerID }
        do {
            let ledger = try await Ledger.open(at: state)
            if let damage = ledger.damage {
                let fix = ["huddle policy", "huddle list"]
                look.findings = [.warning(.files, damage.message, why: damage.nextStep, fix: fix)]
            }
            look.peers = Array(try await ledger.peers().values.prefix(mostPeers))
            look.common = try await ledger.defaultPolicy()
            for waiting in try await ledger.invitations.waiting().values { look.waiting[waiting.peer] = waiting.name }
            look.sets = try await ledger.saveSets.all().values.map { ("\($0.name)", $0.path) }
            look.addresses = look.peers.flatMap { Self.addresses(of: $0) }
        } catch {
            let shown = PrintableText(state, limit: 4096)
            look.findings = [
                .fault(
                    .files,
                    "the ledger can't be read: \(error.message)",
                    why: "the paired machines and shared games are stored in \(shown)",
                    fix: ["ls -la \(ShellWord(state))"]
                )
            ]
        }
        return look
    }

    /// Returns the addresses of a peer without host names: a broken name server could delay looking those up.
    static func addresses(of peer: KnownPeer) -> [SocketAddress] {
        peer.addresses.compactMap { typed in IPAddress(typed.host).map { SocketAddress($0, port: typed.port) } }
    }
}
