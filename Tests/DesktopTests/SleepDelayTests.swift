import Desktop
import LinuxPlatform
import NotificationService
import Synchronization
import TestSupport
import Testing
import Workbench

@Suite("A delay of sleep", .timeLimit(.minutes(1)), .needs(PlayedDesktop.requirement))
struct SleepDelayTests {
    private let folder = TestSupport.TemporaryFolder()

    @Test("The lock is there while the machine is awake, and goes once the daemon is ready for sleep")
    func sleeps() async throws {
        let logins = try await PlayedLogins(in: folder.path)
        let delay = SleepDelay(["DBUS_SYSTEM_BUS_ADDRESS": logins.address], why: "a test")
        let isReady = Resumption<Void>()
        let run = Task { try await delay.run { try? await isReady.value() } }
        let taken = try await logins.next()
        #expect(taken.event == "locked" && taken.what == "sleep:shutdown" && taken.mode == "delay")
        #expect(taken.who == "Huddle")
        try await logins.announceSuspend()
        isReady.resume(with: .success(()))
        #expect(try await logins.next().event == "released")
        try await logins.announceResume()
        #expect(try await logins.next().event == "locked")
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try await logins.next().event == "released")
        try await logins.end()
    }

    @Test("A bus without a login manager, and no bus at all, are errors")
    func absent() async throws {
        let bare = try await PlayedDesktop(in: folder.path, abilities: nil)
        for address in [bare.address, "unix:path=\(folder.path)/none"] {
            let delay = SleepDelay(["DBUS_SYSTEM_BUS_ADDRESS": address], why: "a test")
            await #expect(throws: DesktopError.self) { try await delay.run {} }
        }
        try await bare.end()
    }
}
