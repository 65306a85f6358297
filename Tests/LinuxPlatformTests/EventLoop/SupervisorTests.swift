import Glibc
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite("Service manager", .timeLimit(.minutes(5)))
struct SupervisorTests {
    @Test("Without a service manager in the environment nothing is sent")
    func noManager() throws {
        let manager = Supervisor([:])
        manager.tell([.ready])
        #expect(manager.watchdog == nil)
        #expect(!manager.logsToJournal)
        let isOpened = isOpened(manager.listeningSocket())
        #expect(!isOpened)
    }

    @Test("A service manager that has ended causes no error")
    func gone() {
        Supervisor(["NOTIFY_SOCKET": "/nowhere/notify"]).tell([.ready])
        Supervisor(["NOTIFY_SOCKET": "@huddle-test-absent"]).tell([.ready])
    }

    @Test("Messages are only sent if the service manager means this process")
    func others() {
        let own = "\(getpid())"
        #expect(Supervisor(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": own]).watchdog == .seconds(30))
        #expect(Supervisor(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]).watchdog == nil)
        let isOpened = isOpened(Supervisor(["LISTEN_FDS": "1", "LISTEN_PID": "1"]).listeningSocket())
        #expect(!isOpened)
        #expect(!Supervisor(["JOURNAL_STREAM": "1:2"]).logsToJournal)
    }

    private func isOpened(_ socket: consuming OwnedDescriptor?) -> Bool {
        switch consume socket {
        case .some: true
        case .none: false
        }
    }
}
