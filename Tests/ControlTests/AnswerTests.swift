import Ledger
import LinuxPlatform
import Session
import Testing
import Vocabulary
import Workbench

@testable import Control
@testable import Household
@testable import TestSupport

@Engine
@Suite("Responses of the API", .timeLimit(.minutes(5)))
struct AnswerTests {
    private func peer(_ byte: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: byte, count: 32)))
    }

    @Test("The status names the running program")
    func status() async throws {
        let asked = try await AskedHousehold()
        let (status, lines) = try await asked.ask("GET", "/v1/status")
        #expect(status == 200)
        #expect(lines.first?.status?.machine.name?.text == "Deck")
        #expect(lines.first?.status?.version == "1.2.3")
        #expect(lines.first?.status?.counts["peers_known"] == 0)
    }

    @Test("Each metric occurs once, with its help and type")
    func meanings() async throws {
        let asked = try await AskedHousehold()
        let response = await asked.control.answer(Endpoint.metrics.request())
        guard case .bytes(let bytes) = response.body else { throw CancellationError() }
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n")
        let names = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(Set(names).count == names.count)
        for line in lines where !line.hasPrefix("#") {
            #expect(line.wholeMatch(of: #/[a-z_]+(\{[a-z]+="[a-z-]+"\})? \d+/#) != nil, "\(line)")
            #expect(names.contains { line.hasPrefix($0) }, "\(line)")
        }
        for line in ["huddle_save_versions 0", "huddle_sent_bytes_total{kind=\"control\"} 0", "huddle_sessions 0"] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
        let memory = lines.first { $0.hasPrefix("process_resident_memory_bytes ") }
        #expect(try #require(UInt64(memory?.split(separator: " ").last ?? "")) > 1 << 20)
        let page = try Repository.text(of: "docs/control-api.md")
        for name in names {
            let short = name.hasPrefix("huddle_") ? name.dropFirst("huddle".count) : name
            #expect(page.contains("`\(name)`") || page.contains("`\(short)`"), "\(name)")
        }
    }

    @Test(
        "A bad request is refused with a next step",
        arguments: [
            ("GET", "/v1/nothing", "", 404, "control.unknown-path"),
            ("DELETE", "/v1/status", "", 405, "control.other-method"),
            ("POST", "/v1/messages", "", 400, "control.bad-request"),
            ("POST", "/v1/messages", "{", 400, "control.bad-request"),
            ("POST", "/v1/messages", "[1]", 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"text":"x"}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk"}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","text":"x","base64":"eA=="}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","base64":"?"}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","text":"x","wait":-1}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","text":"x","without-code":"maybe"}"#, 400, "control.bad-request"),
            ("POST", "/v1/sends", #"{"peer":"Desk","paths":["save"]}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","text":"x","once":null}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","text":"x","session":null}"#, 400, "control.bad-request"),
            ("POST", "/v1/messages", #"{"peer":"Desk","text":"x","patience":86401}"#, 400, "control.bad-request"),
            ("POST", "/v1/calls", #"{"peer":"Desk","text":"x"}"#, 400, "control.bad-request"),
            ("POST", "/v1/sends", #"{"peer":"Desk","paths":[]}"#, 400, "control.bad-request"),
            ("POST", "/v1/sends", #"{"peer":"Desk","path":["/save"]}"#, 400, "control.bad-request"),
            ("PUT", "/v1/policy", #"{"policy":"perhaps"}"#, 400, "control.bad-request"),
            ("PUT", "/v1/peers/unknown/policy", #"{"policy":"ask"}"#, 404, "command.unknown-peer"),
            ("DELETE", "/v1/peers/unknown", "", 404, "command.unknown-peer"),
            ("POST", "/v1/invitations/x", #"{"answer":"accept"}"#, 400, "control.bad-request"),
            (
                "POST", "/v1/invitations/+0000000000000000000000000000001", #"{"answer":"accept"}"#, 400,
                "control.bad-request"
            ),
            (
                "POST", "/v1/invitations/00000000000000000000000000000001", #"{"answer":"accept"}"#, 404,
                "command.no-invitation"
            ),
            (
                "POST", "/v1/invitations/00000000000000000000000000000001", #"{"answer":"accept","code":"1"}"#, 400,
                "control.bad-request"
            ),
        ]
    )
    func refusals(method: String, path: String, body: String, status: Int, word: String) async throws {
        let asked = try await AskedHousehold()
        let answer = try await asked.ask(method, path, body)
        #expect(answer.status == status)
        #expect(answer.lines.count == 1)
        let fault = try #require(answer.lines.first?.event.problem)
        #expect(fault.word == word, "\(fault)")
        #expect(fault.nextStep != nil)
    }

    @Test("The user's decision takes effect and is logged")
    func policy() async throws {
        let asked = try await AskedHousehold()
        let ledger = asked.household.node.ledger
        let deck = try peer(7)
        try await ledger.pin(deck, name: try InstanceName("Desk"))
        let chosen = try await asked.ask("PUT", "/v1/peers/desk/policy", #"{"policy":"accept","allow":["messages"]}"#)
        guard case .policy(let event) = chosen.lines.first?.event else {
            Issue.record("it is no policy")
            return
        }
        #expect(event.policy == "accept" && event.allows == ["messages"])
        #expect(try await ledger.peer(deck)?.permissions == .messages)
        _ = try await asked.ask("PUT", "/v1/policy", #"{"policy":"block"}"#)
        #expect(try await ledger.defaultPolicy() == .block)
        let all = try await asked.ask("GET", "/v1/policy").lines
        #expect(all.map(\.name) == ["policy", "default-policy"])
        #expect(all.last?.event == .defaultPolicy(DefaultPolicyEvent(policy: "block")))
        #expect(try await asked.ask("GET", "/v1/peers").lines.map(\.machine?.policy) == [.accept])
        #expect(try await asked.ask("DELETE", "/v1/peers/desk").status == 200)
        #expect(try await ledger.peer(deck) == nil)
        let log = try await asked.ask("GET", "/v1/log", query: ["limit": "2"]).lines
        #expect(log.map(\.name) == ["policy-set", "forgotten"])
        #expect(try await asked.ask("GET", "/v1/log", query: ["limit": "0"]).status == 400)
    }

    @Test("Events begin with the present state")
    func events() async throws {
        let asked = try await AskedHousehold()
        let lines = await asked.events(.events)
        #expect(try await lines.next()?.name == "ready")
        asked.household.tell(DaemonLine(.noDesktop(NoDesktopEvent()), nil))
        #expect(try await lines.next()?.name == "no-desktop")
    }

    @Test("A failure of the work is a line with the reason")
    func failure() async throws {
        let asked = try await AskedHousehold()
        let body = #"{"peer":"nobody","text":"hello","wait":0}"#
        let answer = try await asked.ask("POST", "/v1/messages", body)
        #expect(answer.status == 200)
        #expect(answer.lines.last?.name == "failed")
        #expect(answer.lines.last?.event.problem?.word == "command.unknown-peer")
    }

    @Test("Work ends when its reader disconnects")
    func abandoned() async throws {
        let asked = try await AskedHousehold()
        do {
            let lines = await asked.events(.events)
            _ = try await lines.next()
            #expect(asked.household.events.readerCount == 1)
        }
        while asked.household.events.readerCount > 0 { try await othersTurn() }
    }

    @Test("A task that sends lines does not wait after its reader disconnected")
    func reportedAfterwards() async throws {
        let (reported, waiting) = (Resumption<RouteAnswer.Tell>(), Resumption<Void>())
        var work: ResponseStream? = ResponseStream(
            { tell in
                reported.resume(with: .success(tell))
                try await tell(DaemonLine.done())
                try await waiting.valueUnlessCancelled()
            },
            worked: {}
        )
        _ = try await work?.next()
        let tell = try await reported.value()
        // Sends more than the limit of unread lines.
        let telling = Task(executorPreference: EventLoop.shared.taskExecutor) {
            while true { try await tell(DaemonLine.trouble(String(repeating: "x", count: 64 << 10))) }
        }
        for _ in 0..<100 { await Task.yield() }
        work = nil
        await #expect(throws: CancellationError.self) { try await telling.value }
    }

    @Test("The status has the metrics without labels")
    func counts() async throws {
        let asked = try await AskedHousehold()
        let metrics = try await Metrics(of: asked.household)
        for (name, count) in metrics.counts where name != "uptime_seconds" && name != "history_bytes" {
            #expect(count == 0, "\(name)")
            #expect(metrics.text.contains("\nhuddle_\(name) 0\n"), "\(name)")
        }
        #expect(metrics.counts["links_accepted_total"] == 0)
        #expect(metrics.counts["channels"] == nil)
        let status = try await asked.ask("GET", "/v1/status").lines.first?.status
        #expect(status?.counts.keys.sorted() == metrics.counts.keys.sorted())
    }
}
