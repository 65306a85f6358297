import Household
import Ledger
import Session
import SessionRules
import Vocabulary

/// The routes for calls to other machines.
extension HouseholdRoutes {
    var calling: [ControlRoute] {
        [
            ControlRoute(.pair) { call in
                try invite(CallBody(call, "patience", "session", "stay"))
            },
            ControlRoute(.sendMessage) { call in
                try message(CallBody(call, "patience", "session", "text", "base64"))
            },
            ControlRoute(.sendFiles) { call in
                try send(CallBody(call, "patience", "session", "paths", "also", "leave-out"))
            },
            ControlRoute(.measureSpeed) { call in
                try await bench(call)
            },
        ]
    }

    private func call(_ body: CallBody, named name: Label, _ tell: @escaping RouteAnswer.Tell) -> Call {
        Call(of: household, named: name, body.pairing) { try await tell($0) }
    }

    private func invite(_ body: CallBody) throws -> RouteAnswer {
        let (name, wait) = (try body.sessionName(else: "chat"), try body.waiting())
        let patience = try body.answerPatience()
        return .follow { tell in
            let call = call(body, named: name, tell)
            try await call.run {
                let peer = try await call.connect(body.peer, wait: wait, patience: patience)
                try await tell(DaemonLine.machine(.connected, peer, "Connected to \(peer.full)"))
                guard body.stay else { return }
                try await call.remain()
                throw SessionError(.left)
            }
            try await tell(DaemonLine.done())
        }
    }

    private func message(_ body: CallBody) throws -> RouteAnswer {
        let (name, wait) = (try body.sessionName(else: "chat"), try body.waiting())
        let bytes = try body.message()
        return .follow { tell in
            let call = call(body, named: name, tell)
            try await call.run {
                let peer = try await call.connect(body.peer, wait: wait)
                try await call.session.send(bytes)
                try await call.session.delivered()
                try await tell(DaemonLine(.sent(SentEvent(peer, bytes: UInt64(bytes.count))), "\(peer) has it"))
            }
            try await tell(DaemonLine.done())
        }
    }

    private func bench(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("peer", "wait")
        let (typed, wait) = try RouteCall.asked { (try fields.text("peer"), try fields.number("wait") ?? 5) }
        guard let typed else { throw HouseholdError.badRequest("“peer” is missing") }
        guard (0...60).contains(wait) else {
            throw HouseholdError.badRequest("“wait” is a number of seconds, up to 60")
        }
        let peer = try await MachineLookup(ledger).find(typed)
        return .follow { tell in
            try await Bench(of: household, to: peer) { try await tell($0) }.run(within: .seconds(wait))
            try await tell(DaemonLine.done())
        }
    }

    private func send(_ body: CallBody) throws -> RouteAnswer {
        let (name, wait) = (try body.sessionName(else: "files"), try body.waiting())
        let patience = try body.answerPatience() ?? .seconds(600)
        guard let paths = body.paths, !paths.isEmpty else {
            throw HouseholdError.badRequest("“paths” lists what to send")
        }
        guard paths.allSatisfy({ $0.hasPrefix("/") }) else {
            throw HouseholdError.badRequest("“paths” are whole, from the root on")
        }
        return .follow { tell in
            try await Sending.look(at: paths, leavingOut: body.leaveOut)
            let call = call(body, named: name, tell)
            let failure = try await call.run {
                let sending = Sending(call, patience: patience, leavesOut: body.leaveOut)
                for peer in [body.peer] + (body.also ?? []) { try await sending.add(peer, wait: wait) }
                return Sent(failure: try await sending.send(paths))
            }
            try await tell(DaemonLine.done(failure.failure))
        }
    }

    private struct Sent: Sendable {
        let failure: (any Error)?
    }
}
