import Glibc
import LinuxPlatform
import NotificationService
import TestSupport
import Testing
import Vocabulary
import Workbench

@testable import Desktop

@Suite("Desktop notification", .timeLimit(.minutes(4)), .needs(PlayedDesktop.requirement))
struct DesktopTests {
    private let folder = TestSupport.TemporaryFolder()
    private let notice = DesktopNotice(
        "Somebody asks",
        "<b>Deck</b> & “friends”",
        buttons: [.init("yes", "Yes"), .init("no", "No")],
        withoutButtons: "type: answer"
    )

    private func desktop(_ played: PlayedDesktop) throws -> Desktop {
        try #require(Desktop(["DBUS_SESSION_BUS_ADDRESS": played.address]))
    }

    @Test("A notification ends with the button that the user presses, and ignores other signals")
    func pressed() async throws {
        let played = try await PlayedDesktop(in: folder.path)
        let (desktop, notice) = (try desktop(played), notice)
        async let answer = desktop.show(notice)
        let shown = try await played.next()
        #expect(shown.title == "Somebody asks")
        #expect(shown.body == "&lt;b&gt;Deck&lt;/b&gt; &amp; “friends”")
        #expect(shown.actions == ["yes", "Yes", "no", "No"])
        #expect(shown.timeout == 0 && shown.urgency == 1)
        try await played.press("yes", on: 77)
        try await played.close(78)
        try await played.press("default", on: shown.number)
        try await played.press("no", on: shown.number)
        #expect(try await answer?.key == "no")
        #expect(try await played.next().call == "CloseNotification")
        try await played.end()
    }

    @Test("A notification that the user closes returns no button")
    func closed() async throws {
        let played = try await PlayedDesktop(in: folder.path)
        let (desktop, notice) = (try desktop(played), notice)
        async let answer = desktop.show(notice)
        try await played.close(try await played.next().number)
        #expect(try await answer == nil)
        try await played.end()
    }

    @Test("A cancelled task withdraws its notification, and the next notification has another number")
    func takenBack() async throws {
        let played = try await PlayedDesktop(in: folder.path)
        let (desktop, notice) = (try desktop(played), notice)
        for number in 1...3 {
            let showing = Task { try await desktop.show(notice) }
            #expect(try await played.next().number == number)
            showing.cancel()
            await #expect(throws: CancellationError.self) { try await showing.value }
            let closed = try await played.next()
            #expect(closed.call == "CloseNotification" && closed.number == number)
        }
        try await played.end()
    }

    @Test("A notification on a desktop without markup and buttons is plain and names the command to type")
    func simple() async throws {
        let played = try await PlayedDesktop(in: folder.path, abilities: ["body"])
        let (desktop, notice) = (try desktop(played), notice)
        async let answer = desktop.show(notice)
        let shown = try await played.next()
        #expect(shown.body == "<b>Deck</b> & “friends”\ntype: answer")
        #expect(shown.actions == [])
        try await played.close(shown.number)
        #expect(try await answer == nil)
        try await played.end()
    }

    @Test("A notification fails if the desktop has no notification service, or if the bus ends")
    func nothingThere() async throws {
        let bare = try await PlayedDesktop(in: folder.path, abilities: nil)
        let (lonely, notice) = (try desktop(bare), notice)
        #expect(await failure(of: { try await lonely.show(notice) })?.code == "desktop.no-service")
        try await bare.end()
        #expect(await failure(of: { try await lonely.show(notice) })?.code == "desktop.no-bus")
        let folder = TestSupport.TemporaryFolder()
        let played = try await PlayedDesktop(in: folder.path)
        let desktop = try desktop(played)
        async let error = failure(of: { try await desktop.show(notice) })
        _ = try await played.next()
        try await played.end()
        #expect(await error?.code == "desktop.no-bus")
    }

    private func failure(of showing: @Sendable () async throws -> DesktopNotice.Button?) async -> DesktopError? {
        await #expect(throws: DesktopError.self) { _ = try await showing() }
    }
}

@Suite("Desktop address", .timeLimit(.minutes(1)))
struct DesktopAddressTests {
    @Test(
        "An environment without a running bus has no desktop",
        arguments: [
            [:], ["DBUS_SESSION_BUS_ADDRESS": ""], ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"],
            ["XDG_RUNTIME_DIR": "/nowhere"], ["XDG_RUNTIME_DIR": "here"],
        ]
    )
    func absent(_ environment: [String: String]) {
        #expect(Desktop(environment) == nil)
    }

    @Test("A bus in the runtime folder is found")
    func runtimeFolder() throws {
        let folder = TestSupport.TemporaryFolder()
        try folder.put("", at: "bus")
        #expect(Desktop(["XDG_RUNTIME_DIR": folder.path]) != nil)
    }

    @Test("The special characters of markup are escaped")
    func escaped() {
        let text = "<img src='http://x' alt=\"&\">"
        #expect(DesktopNotice.escaped(text) == "&lt;img src=&#39;http://x&#39; alt=&quot;&amp;&quot;&gt;")
    }
}
