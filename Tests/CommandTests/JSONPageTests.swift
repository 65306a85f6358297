import Household
import Testing
import Workbench

@Suite("The page docs/json-output.md", .timeLimit(.minutes(5)))
struct JSONPageTests {
    private let page: JSONPage

    init() throws { page = try JSONPage() }

    @Test(
        "The page describes the objects that the programs print",
        arguments: [
            #"{"event":"blocked","peer":{"id":"aaaa"}}"#,
            #"{"event":"message","peer":{"id":"aaaa"},"text":"hello"}"#,
            #"{"bytes":5,"event":"message","new":true,"number":1,"peer":{"id":"aaaa"},"text":"hello","time":1}"#,
            #"{"check":"disk","event":"finding","message":"a","state":"ok"}"#,
        ]
    )
    func right(_ line: String) { #expect(page.fault(in: line) == nil) }

    @Test(
        "An object that the page does not describe has a fault",
        arguments: [
            ("{", "is not a JSON object"), ("{}", "has no event"),
            (#"{"event":"brwose"}"#, "no table has an event “brwose”"),
            (#"{"event":"declined"}"#, "is missing peer"),
            (#"{"event":"declined","peer":{"id":"aaaa"},"colour":"red"}"#, "has besides colour"),
            (#"{"event":"declined","peer":"aaaa"}"#, "“peer” is string, not object"),
            (#"{"event":"cleaned","bytes":"7","counts":{"remaining":1}}"#, "“bytes” is string, not integer"),
            (
                #"{"event":"lost","reason":"goodbye","peer":{"origin":"typed"}}"#,
                "its peer is missing addresses, host, interfaces, name, port, state, txt"
            ),
            (#"{"check":"disk","event":"finding","message":"a"}"#, "is missing state"),
        ]
    )
    func wrong(_ line: String, _ fault: String) { #expect(page.fault(in: line) == fault) }

    @Test("Objects of huddle state and huddle games are known by their commands")
    func commands() {
        let game = #""bytes":4,"files":1,"id":"a","launchers":[],"notes":[],"places":[],"title":"A""#
        #expect(page.fault(in: "{\(game)}", of: "games") == nil)
        #expect(page.fault(in: "{\(game),\"colour\":1}", of: "games") == "has besides colour")
        #expect(page.fault(in: #"{"path":"a","value":1}"#, of: "get") == nil)
        #expect(page.fault(in: #"{"path":"a"}"#, of: "get") == "is missing value")
        #expect(page.fault(in: #"{"path":"a","new":1}"#, of: "diff") == nil)
        #expect(page.fault(in: #"{"bytes":7,"counts":{"remaining":1},"event":"cleaned"}"#, of: "push") == nil)
        #expect(page.fault(in: "{}", of: "push") == "has no event")
    }

    @Test("The page has every event that the programs report")
    func events() {
        // The last event of a response stays between the command and the daemon.
        for event in DaemonEvent.names where !["done", "failed"].contains(event) {
            #expect(page.describes(event: event), "\(event)")
        }
    }

    @Test("The page has every decision that the log can have")
    func decisions() throws {
        let decision = try Repository.text(of: "Sources/SessionRules/Guards/Decision.swift")
        for found in decision.matches(of: #/"([a-z-]+)"\)/#) {
            #expect(page.describes(event: String(found.1)), "\(found.1)")
        }
        for path in Repository.files(below: "Sources", withSuffix: ".swift") {
            for found in try Repository.text(of: path).matches(of: #/(?:ledger|node)\.note\(\s*"([a-z-]+)"/#) {
                #expect(page.describes(event: String(found.1)), "\(found.1) in \(path)")
            }
        }
    }
}
