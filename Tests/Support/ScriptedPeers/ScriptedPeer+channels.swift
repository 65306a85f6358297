import Digests
import LinuxPlatform
import Session
public import Transport
public import Vocabulary
public import Wire

// Data channels that the peer dials.
extension ScriptedPeer {
    /// A data channel with the ticket of the control channel or another one, and with the right proof or another one.
    public func furtherChannel(
        _ id: ChannelID = .random(),
        resuming ticket: ResumptionTicket? = nil,
        proof: ((_ channel: SecureChannel, _ right: ChannelProof) throws -> ChannelProof) = { $1 }
    ) async throws -> ScriptedChannel {
        let socket = try LoopbackStranger.connecting(to: node.port, from: 1)
        let further = try await SecureChannel.dial(
            over: socket,
            as: identity,
            expecting: node.id,
            resuming: ticket ?? channel.ticket,
            within: .seconds(20),
            on: Engine.loop
        )
        let right = try channelProof(on: further, id)
        let scripted = ScriptedChannel(further)
        try await scripted.say(.open(.init(channel: id, proof: try proof(further, right))))
        return scripted
    }

    /// The proof that belongs to a data channel.
    public func channelProof(on further: SecureChannel, _ id: ChannelID) throws -> ChannelProof {
        let key = try channel.exportKey(label: "EXPORTER-huddle-channels", count: 32)
        let binding = try further.exportKey(label: "EXPORTER-huddle-channel-proof", count: 32)
        guard let proof = ChannelProof(bytes: Digest.authentication(of: binding + id.bytes, key: key)) else {
            throw Unexpected.frame
        }
        return proof
    }

    /// A data channel that the node has accepted.
    public func readyChannel() async throws -> ScriptedChannel {
        let further = try await furtherChannel()
        guard case .ready = try await further.hear() else { throw Unexpected.frame }
        return further
    }

    /// Accepts the node's next offer.
    public func acceptOffer() async throws -> ControlFrame.ResourceOffer {
        let offer = try await hear { if case .resourceOffer(let offer) = $0 { offer } else { nil } }
        try await say(.resourceAnswer(.init(transfer: offer.transfer, verdict: .accepted, message: "")))
        return offer
    }

    /// The data channel that the node requests next.
    public func askedForChannel() async throws -> ScriptedChannel {
        try await furtherChannel(try await hear { if case .channelRequest(let id) = $0 { id } else { nil } })
    }
}
