import Session
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// Streams of programs here to peers, and of peers to programs here. What is told and what is carried are two requests each.
extension HouseholdRoutes {
    var streaming: [ControlRoute] {
        [
            ControlRoute("POST", "/v1/streams", "open a stream to a peer") { call in
                try give(CallBody(call, "name"))
            },
            ControlRoute("POST", "/v1/streams/next", "wait for the next stream of a name") { call in
                try await expect(call)
            },
            ControlRoute("PUT", "/v1/streams/{stream}", "write to an open stream", takingUploads: true) { call in
                try await pour(call)
            },
            ControlRoute("GET", "/v1/streams/{stream}", "read a stream that has begun") { call in
                .bytes(try streams.source(call))
            },
        ]
    }

    // MARK: To a peer

    private func give(_ body: CallBody) throws -> RouteAnswer {
        let (name, wait) = (try body.streamName(), try body.waiting())
        return .follow { tell in
            try await streams.during {
                let call = Call(of: household, named: name, body.meeting) { try await tell($0) }
                try await call.run {
                    let peer = try await call.connect(body.peer, wait: wait)
                    let pouring = Pouring(try await call.session.openStream(named: name, to: peer.id))
                    try await carry(.pouring(pouring)) { number in
                        try await tell(SessionNews.opened(name, to: peer, number))
                        let count = try await pouring.end()
                        try await tell(
                            SessionNews("stream-ended", peer, nil) { ($0.name, $0.bytes) = (name.text, count) }
                        )
                    }
                }
            }
            try await tell(SessionNews.done())
        }
    }

    private func pour(_ call: RouteCall) async throws -> RouteAnswer {
        guard let upload = call.upload else { throw HouseholdError.badRequest("what is to be written is missing") }
        let count = try await streams.pouring(call).pour(upload)
        var done = SessionNews.done()
        done.bytes = count
        return .lines([done])
    }

    // MARK: From a peer

    private func expect(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("name", "peer")
        let name = try CallBody.streamName(try RouteCall.asked { try fields.text("name") })
        var only: PeerTag?
        if let typed = try RouteCall.asked({ try fields.text("peer") }) {
            only = try await Acquaintances(ledger).find(typed)
        }
        let peer = only
        return .follow { tell in
            try await streams.during {
                let reception = household.expect(name, from: peer?.id)
                try await tell(SessionNews.awaiting(name, from: peer))
                try await hand(reception, name, tell)
            }
            try await tell(SessionNews.done())
        }
    }

    private func hand(_ reception: StreamReception, _ name: Label, _ tell: @escaping RouteAnswer.Tell) async throws {
        let handover = Handover()
        try await carry(.handover(handover)) { number in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    let fault = try await reception.take { peer in
                        try await tell(SessionNews.arriving(name, from: peer, number))
                    } into: {
                        try await handover.put($0)
                    }
                    if let fault { throw fault }
                    return true
                }
                group.addTask {
                    try await handover.untilReaderLeaves()
                    return false
                }
                do {
                    guard try await group.next() == true else { throw HouseholdError.readerLeft }
                    handover.finish(.success(()))
                } catch {
                    handover.finish(.failure(error))
                    throw error
                }
            }
            try await tell(SessionNews("stream-ended", nil, nil) { $0.name = name.text })
        }
    }

    private func carry(
        _ place: StreamDesk.Place,
        _ work: @Engine @Sendable (_ number: Int) async throws -> Void
    ) async throws {
        let number = household.nextTransfer()
        streams.open(place, as: number)
        defer { streams.close(number) }
        try await work(number)
    }
}

extension SessionNews {
    fileprivate static func opened(_ name: Label, to peer: PeerTag, _ number: Int) -> SessionNews {
        SessionNews("stream-open", peer, nil) { ($0.name, $0.transfer) = (name.text, number) }
    }

    fileprivate static func awaiting(_ name: Label, from peer: PeerTag?) -> SessionNews {
        let whose = peer.map { " from \($0)" } ?? ""
        return SessionNews("awaiting", peer, "waiting for a stream “\(name)”\(whose); Ctrl-C ends") {
            $0.name = name.text
        }
    }

    fileprivate static func arriving(_ name: Label, from peer: PeerTag, _ number: Int) -> SessionNews {
        SessionNews("stream", peer, "\(peer) streams “\(name)”") { ($0.name, $0.transfer) = (name.text, number) }
    }
}
