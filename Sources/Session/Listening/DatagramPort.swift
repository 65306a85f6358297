import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// The socket for messages that may get lost. Each link has a path with keys of its own. A datagram counts once, and a
/// path is open only after an answer has arrived over it.
@Engine
final class DatagramPort {
    private let socket: DatagramSocket
    private var paths: [UInt64: Path] = [:]

    /// The times of the probes after the start of a link.
    private static let probes: [Duration] = [.zero, .milliseconds(200), .seconds(1), .seconds(3)]

    enum Outcome {
        case sent
        case dropped
        case noPath
    }

    @Engine
    private final class Path {
        let link: Link
        let target: SocketAddress?
        let sealer: DatagramSealer
        let opener: DatagramOpener
        var seen = ReplayWindow()
        var passes = false

        init?(_ link: Link) {
            let (out, into): (DatagramKeys.Direction, DatagramKeys.Direction) =
                link.isDialler ? (.fromDialler, .fromAnswerer) : (.fromAnswerer, .fromDialler)
            guard let outKeys = try? DatagramKeys(of: link.channel, out),
                let inKeys = try? DatagramKeys(of: link.channel, into)
            else { return nil }
            self.link = link
            sealer = DatagramSealer(outKeys)
            opener = DatagramOpener(inKeys)
            tag = inKeys.linkTag
            let host = (link.isDialler ? link.peerAddress : link.channel.remoteAddress)?.address
            target = link.hello.datagramPort == 0 ? nil : host.map { SocketAddress($0, port: link.hello.datagramPort) }
        }

        let tag: UInt64
    }

    init(on address: SocketAddress) throws(SystemError) {
        socket = try DatagramSocket(on: address, loop: Engine.loop)
    }

    nonisolated var port: UInt16 { socket.address.port }

    func add(_ link: Link) {
        guard let path = Path(link) else { return }
        paths[path.tag] = path
        for delay in Self.probes {
            _ = Engine.schedule(at: .now + delay) { [weak self, weak path] in
                guard let self, let path, !path.passes, self.paths[path.tag] === path else { return }
                self.send(.probe(path.tag), over: path)
            }
        }
    }

    func remove(_ link: Link) {
        paths = paths.filter { $0.value.link !== link }
    }

    /// Sends a datagram for a session.
    func send(_ bytes: ArraySlice<UInt8>, in session: SessionID, over link: Link) -> Outcome {
        guard let path = paths.values.first(where: { $0.link === link }), path.passes else { return .noPath }
        return send(.data(session: session, bytes: bytes), over: path)
    }

    @discardableResult
    private func send(_ content: DatagramContent, over path: Path) -> Outcome {
        guard let target = path.target else { return .noPath }
        return socket.send(path.sealer.seal(content.encoded), to: target) == .sent ? .sent : .dropped
    }

    /// Receives datagrams until the task is cancelled. Datagrams that are not genuine leave no trace.
    func receive(_ take: (Link, SessionID, ArraySlice<UInt8>) -> Void) async {
        while !Task.isCancelled {
            guard let received = try? await socket.receive(upTo: WireLimits.datagram + 1) else {
                // A socket that fails again and again must not keep the loop busy.
                guard (try? await Engine.loop.sleep(for: .milliseconds(100))) != nil else { return }
                continue
            }
            guard let header = try? Wire.DatagramHeader(of: received.bytes), let path = paths[header.linkTag],
                let opened = path.opener.open(received.bytes), path.seen.admit(opened.sequence),
                let content = try? DatagramContent(decoding: opened.payload, peerMinor: path.link.hello.minor)
            else { continue }
            switch content {
            case .probe(let number): send(.probeAnswer(number), over: path)
            case .probeAnswer: path.passes = true
            case .data(let session, let bytes): take(path.link, session, bytes)
            }
        }
    }
}
