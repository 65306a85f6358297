import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// Takes the connections and datagrams that arrive. It limits the guests, performs their handshakes, and hands the
/// results to the owner of the links.
@Engine
final class Listener {
    let admission: AdmissionControl
    private let context: NodeContext
    private var connections: ChannelListener?
    weak var owner: (any LinkOwner)?

    init(_ connections: ChannelListener?, _ context: NodeContext) {
        (self.connections, self.context) = (connections, context)
        admission = AdmissionControl(context.configuration.limits.admission)
    }

    /// Takes connections until the task is cancelled.
    func takeConnections() async throws(SystemError) {
        guard let connections else { return }
        do {
            while true { admit(try await connections.accept()) }
        } catch let error as SystemError {
            throw error
        } catch {}
    }

    /// Takes datagrams until the task is cancelled.
    func takeDatagrams() async {
        await context.datagrams?.receive { link, session, bytes in
            owner?.takeDatagram(bytes, in: session, over: link)
        }
    }

    /// Closes the sockets.
    func close() {
        connections = nil
        context.datagrams = nil
    }

    private func admit(_ socket: StreamSocket) {
        let address = socket.remoteAddress?.address
        let isMembers = owner?.hasMember(at: address) == true
        guard let guest = admission.admit(from: address, isMembers: isMembers, close: { socket.shutDown() }) else {
            return context.tally.arrivalsRefused += 1
        }
        context.tasks.add {
            await self.handshake(socket, guest)
            self.admission.remove(guest)
        }
    }

    private func handshake(_ socket: StreamSocket, _ guest: Int) async {
        let handshaker = LinkHandshaker(.answerer, context)
        do {
            let arrival = try await handshaker.answer(socket) { secure in
                admission.set(guest) { secure.abort() }
            }
            switch arrival {
            case .control(let result): await take(result, asGuest: guest)
            case .further(let secure, let open, let decoder):
                admission.remove(guest)
                guard let owner else { return secure.abort() }
                try await owner.take(secure, open, decoder)
            }
        } catch {
            // The other end has disconnected, or was no peer. No machine is left that could receive an error.
            context.tally.greetingsFailed += 1
        }
    }

    /// Counts the link of an unpaired machine as a guest until the link ends or the machine is a member of a session.
    private func take(_ result: HandshakeResult, asGuest guest: Int) async {
        guard !context.isStopping, result.channel.peerID != context.id, let owner, let link = owner.establish(result)
        else { return result.channel.abort() }
        admission.set(guest) { link.cut(because: .full) }
        link.guest = guest
        // A blocked machine counts like any other: otherwise it could notice that by counting its places. There is one
        // link for each key anyway.
        if let known = try? await context.store.peer(link.peer), known.isPinned { admission.remove(guest) }
        await owner.keep(link)
    }
}
