import Digests
import LinuxPlatform
import Session
public import Transport
public import Vocabulary
public import Wire

// Data channels that the peer dials.
extension ScriptedPeer {
    /// A data channel with the ticket of the control channel or another one, and with the right proof or another one.
    public func furtherLane(
        _ id: LaneID = .random(),
        resuming ticket: LaneTicket? = nil,
        proof: ((_ lane: Lane, _ right: LaneProof) throws -> LaneProof) = { $1 }
    ) async throws -> ScriptedLane {
        let socket = try LoopbackStranger.connecting(to: node.port, from: 1)
        let further = try await Lane.dial(
            over: socket,
            as: identity,
            expecting: node.id,
            resuming: ticket ?? lane.ticket,
            within: .seconds(20),
            on: Engine.loop
        )
        let right = try laneProof(on: further, id)
        let scripted = ScriptedLane(further)
        try await scripted.say(.open(.init(lane: id, proof: try proof(further, right))))
        return scripted
    }

    /// The proof that belongs to a data channel.
    public func laneProof(on further: Lane, _ id: LaneID) throws -> LaneProof {
        let key = try lane.exportKey(label: "EXPORTER-huddle-lanes", count: 32)
        let binding = try further.exportKey(label: "EXPORTER-huddle-lane-proof", count: 32)
        guard let proof = LaneProof(bytes: Digest.authentication(of: binding + id.bytes, key: key)) else {
            throw Unexpected.frame
        }
        return proof
    }

    /// A data channel that the node has accepted.
    public func readyLane() async throws -> ScriptedLane {
        let further = try await furtherLane()
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
    public func askedForLane() async throws -> ScriptedLane {
        try await furtherLane(try await hear { if case .laneRequest(let id) = $0 { id } else { nil } })
    }
}
