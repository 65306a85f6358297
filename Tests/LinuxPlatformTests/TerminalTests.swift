import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import LinuxPlatform

@Suite("A terminal")
struct TerminalTests {
    private func settings(of terminal: borrowing OwnedDescriptor) -> termios {
        var settings = termios()
        #expect(tcgetattr(terminal.number, &settings) == 0)
        return settings
    }

    @Test("hands on key by key and unseen when told so, with signals as before, and is put back as it was")
    func keyByKey() throws {
        // The terminal's other end has the same settings.
        let terminal = OwnedDescriptor(
            takingOwnershipOf: try retrying("open") { open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) }
        )
        let before = try #require(TerminalMode(of: terminal.number))
        let usual = settings(of: terminal).c_lflag
        #expect(usual & tcflag_t(ICANON) != 0 && usual & tcflag_t(ECHO) != 0)
        before.keyByKey.apply()
        #expect(settings(of: terminal).c_lflag & tcflag_t(ICANON | ECHO) == 0)
        #expect(settings(of: terminal).c_lflag & tcflag_t(ISIG) != 0)
        before.apply()
        #expect(settings(of: terminal).c_lflag == usual)
    }

    @Test("a channel that is made to lead into a file for a while leads back where it led afterwards")
    func diverted() throws {
        let temporary = TemporaryFolder()
        let file = try temporary.opened().create(FileName("file"))
        let before = try Terminal.divert(.errors, to: file)
        #expect(Terminal.write("torn", to: .errors) == nil)
        let after = try Terminal.divert(.errors, to: before)
        // Other tests may have written there, too.
        let size = try file.facts().size
        #expect(try size >= 4 && after.facts().size == size)
    }

    @Test("is none where a file is")
    func none() throws {
        let temporary = TemporaryFolder()
        let file = try temporary.opened().create(FileName("file"))
        #expect(TerminalMode(of: file.number) == nil)
    }
}
