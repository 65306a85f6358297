import Discovery
import Household
import Session
import Testing
import Vocabulary

@Suite("What is said of whether others find this machine")
struct VisibilityNewsTests {
    private static func news(_ visibility: Visibility) throws -> SessionNews? {
        .visibility(visibility, of: try InstanceName("Deck"))
    }

    @Test("nothing as long as all is as it should be")
    func usual() throws {
        for visibility in [.unknown, .looking, .seen(as: try InstanceName("Deck"))] as [Visibility] {
            #expect(try Self.news(visibility) == nil)
        }
    }

    @Test("that another machine has its name")
    func renamed() throws {
        let news = try #require(try Self.news(.seen(as: try InstanceName("Deck #2"))))
        #expect((news.event, news.name) == ("advertised", "Deck #2"))
        #expect(news.sentence == "others find this machine as “Deck #2”, for “Deck” is taken here")
        #expect(news.isTrouble != true)
    }

    @Test("what is in the way, with the next step")
    func hidden() throws {
        let blind = try #require(try Self.news(.blind(.noDaemon)))
        #expect((blind.event, blind.reason) == ("withdrawn", "no-daemon"))
        #expect(blind.sentence?.contains("systemctl start avahi-daemon") == true)
        #expect(blind.isTrouble == true)
        #expect(try Self.news(.noInterface)?.reason == "no-interface")
    }
}
