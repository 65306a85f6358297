import Session
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// The routes for streams from local programs to peers and back. A stream takes two requests: one announces it, one
/// carries its bytes.
@Engine
struct StreamRoutes {
    let household: Household
    private let streams = StreamRegistry()

    init(_ household: Household) { self.household = household }

    var table: [ControlRoute] {
        [
            ControlRoute(.openStream) { call in
                try give(CallBody(call, "name"))
            },
            ControlRoute(.nextStream) { call in
                try await expect(call)
            },
            ControlRoute(.writeStream) { call in
                try await pour(call)
            },
            ControlRoute(.readStream) { call in
                .bytes(try streams.source(call))
            },
        ]
    }

    // MARK: Outgoing

    private func give(_ body: CallBody) throws -> RouteAnswer {
        let (name, wait) = (try body.streamName(), try body.waiting())
        return .follow { tell in
            try await streams.during {
                let call = Call(of: household, named: name, body.pairing) { try await tell($0) }
                try await call.run {
                    let peer = try await call.connect(body.peer, wait: wait)
                    let streamUpload = StreamUpload(try await call.session.openStream(named: name, to: peer.id))
                    try await carry(.streamUpload(streamUpload)) { number in
                        try await tell(DaemonLine(.stream(StreamEvent(.open, peer, name, transfer: number)), nil))
                        let count = try await streamUpload.end()
                        try await tell(DaemonLine(.stream(StreamEvent(.ended, peer, name, bytes: count)), nil))
                    }
                }
            }
            try await tell(DaemonLine.done())
        }
    }

    private func pour(_ call: RouteCall) async throws -> RouteAnswer {
        guard let upload = call.upload else { throw HouseholdError.badRequest("the bytes to write are missing") }
        let count = try await streams.streamUpload(call).pour(upload)
        return .lines([DaemonLine(.done(DoneEvent(bytes: count)), nil)])
    }

    // MARK: Incoming

    private func expect(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("name", "peer")
        let name = try CallBody.streamName(try RouteCall.asked { try fields.text("name") })
        var only: PeerTag?
        if let typed = try RouteCall.asked({ try fields.text("peer") }) {
            only = try await MachineLookup(household.node.ledger).find(typed)
        }
        let peer = only
        return .follow { tell in
            try await streams.during {
                let reception = household.expect(name, from: peer?.id)
                try await tell(DaemonLine.awaiting(name, from: peer))
                try await hand(reception, name, tell)
            }
            try await tell(DaemonLine.done())
        }
    }

    private func hand(_ reception: StreamReception, _ name: Label, _ tell: @escaping RouteAnswer.Tell) async throws {
        let pipe = BytePipe()
        try await carry(.pipe(pipe)) { number in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    let fault = try await reception.take { peer in
                        try await tell(DaemonLine.arriving(name, from: peer, number))
                    } into: {
                        try await pipe.put($0)
                    }
                    if let fault { throw fault }
                    return true
                }
                group.addTask {
                    try await pipe.untilReaderLeaves()
                    return false
                }
                do {
                    guard try await group.next() == true else { throw HouseholdError.readerLeft }
                    pipe.finish(.success(()))
                } catch {
                    pipe.finish(.failure(error))
                    throw error
                }
            }
            try await tell(DaemonLine(.stream(StreamEvent(.ended, nil, name)), nil))
        }
    }

    private func carry(
        _ place: StreamRegistry.Place,
        _ work: @Engine @Sendable (_ number: Int) async throws -> Void
    ) async throws {
        let number = household.nextTransfer()
        streams.open(place, as: number)
        defer { streams.close(number) }
        try await work(number)
    }
}

extension DaemonLine {
    fileprivate static func awaiting(_ name: Label, from peer: PeerTag?) -> DaemonLine {
        let whose = peer.map { " from \($0)" } ?? ""
        return DaemonLine(
            .stream(StreamEvent(.awaited, peer, name)),
            "waiting for a stream “\(name)”\(whose); Ctrl-C ends"
        )
    }

    fileprivate static func arriving(_ name: Label, from peer: PeerTag, _ number: Int) -> DaemonLine {
        DaemonLine(.stream(StreamEvent(.begun, peer, name, transfer: number)), "\(peer) streams “\(name)”")
    }
}
