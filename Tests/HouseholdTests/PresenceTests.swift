import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import Household

@Suite("The note of a running program", .timeLimit(.minutes(5)))
struct PresenceTests {
    private let folder = TemporaryFolder()

    @Test("The entry is for one program at a time, and the second learns which one and since when")
    func oneAtATime() throws {
        let first = try HouseholdPresence(in: folder.path, as: .init(socket: "/run/x/control"))
        let holder = try #require(HouseholdPresence.holder(in: folder.path))
        #expect(holder == first.holder)
        #expect(holder.process == getpid())
        #expect(holder.socket == "/run/x/control")
        do {
            _ = try HouseholdPresence(in: folder.path, as: .init(socket: "/run/y/control"))
            Issue.record("two are there")
        } catch let error as HouseholdError {
            #expect(error.code == "command.already-present")
            #expect(error.message.contains("huddled, process \(getpid()), since "))
        }
        withExtendedLifetime(first) {}
    }

    @Test("a program that has ended leaves no note that names it")
    func ended() throws {
        do {
            let presence = try HouseholdPresence(in: folder.path, as: .init(socket: "/run/x/control"))
            withExtendedLifetime(presence) {}
        }
        #expect(HouseholdPresence.holder(in: folder.path) == nil)
        #expect(throws: Never.self) { _ = try HouseholdPresence(in: folder.path, as: .init(socket: "/run/y/control")) }
    }

    @Test("a damaged note is not believed")
    func garbled() throws {
        for note in ["", "1\n", "x\n1\n/a\n", "1\nx\n/a\n", "1\n1\n\n", "1\n1\na\n"] {
            try folder.put(note, at: "present.lock")
            #expect(HouseholdPresence.holder(in: folder.path) == nil)
        }
    }
}
