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

    @Test("keeps nothing of what was typed and discarded, neither a line nor the beginning of one")
    func discarding() throws {
        let keyboard = OwnedDescriptor(
            takingOwnershipOf: try retrying("open") { open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) }
        )
        // Swift has no unlockpt and no ptsname: TIOCSPTLCK and TIOCGPTN.
        var (isLocked, number): (CInt, CUnsignedInt) = (0, 0)
        #expect(ioctl(keyboard.number, 0x4004_5431, &isLocked) == 0)
        #expect(ioctl(keyboard.number, 0x8004_5430, &number) == 0)
        let terminal = OwnedDescriptor(
            takingOwnershipOf: try retrying("open") { open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC) }
        )
        func type(_ text: String) { #expect(write(keyboard.number, text, text.utf8.count) == text.utf8.count) }
        type("123456\n789")
        Terminal.discardInput(of: terminal.number)
        type("later\n")
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try retrying("read") { read(terminal.number, &bytes, bytes.count) }
        #expect(String(decoding: bytes.prefix(Int(count)), as: UTF8.self) == "later\n")
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
