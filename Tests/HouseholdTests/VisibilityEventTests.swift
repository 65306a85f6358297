import Discovery
import Session
import Testing
import Vocabulary

@testable import Household

@Suite("The line about the visibility of this machine")
struct VisibilityEventTests {
    private static func line(_ visibility: Visibility) throws -> DaemonLine? {
        .visibility(visibility, of: try InstanceName("Deck"))
    }

    private static func reason(_ line: DaemonLine) -> String? {
        if case .hidden(let event) = line.event { event.reason } else { nil }
    }

    @Test("A machine that others find under its name gets no line")
    func usual() throws {
        for visibility in [.unknown, .looking, .seen(as: try InstanceName("Deck"))] as [Visibility] {
            #expect(try Self.line(visibility) == nil)
        }
    }

    @Test("A machine whose name is taken gets a line with the other name")
    func renamed() throws {
        let line = try #require(try Self.line(.seen(as: try InstanceName("Deck #2"))))
        #expect(line.event == .advertised(AdvertisedEvent(name: "Deck #2")))
        #expect(line.sentence == "others find this machine as “Deck #2”, because “Deck” is taken")
        #expect(!line.isTrouble)
    }

    @Test("A hidden machine gets the reason and the next step")
    func hidden() throws {
        let blind = try #require(try Self.line(.blind(.noDaemon)))
        #expect(Self.reason(blind) == "no-daemon")
        #expect(blind.sentence?.contains("systemctl start avahi-daemon") == true)
        #expect(blind.isTrouble)
        #expect(try Self.line(.noInterface).flatMap(Self.reason) == "no-interface")
    }
}
