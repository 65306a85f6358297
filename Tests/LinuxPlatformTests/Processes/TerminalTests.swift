import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import LinuxPlatform

@Suite("Terminal")
struct TerminalTests {
    private func settings(of terminal: borrowing OwnedDescriptor) -> termios {
        var settings = termios()
        #expect(tcgetattr(terminal.number, &settings) == 0)
        return settings
    }

    @Test("A terminal can send keys without echo, with signals, and is restored")
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

    @Test("A discarded line, and the beginning of one, are not read")
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

    @Test("A channel that is redirected to a file is restored afterwards")
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

    @Test("A file is no terminal")
    func none() throws {
        let temporary = TemporaryFolder()
        let file = try temporary.opened().create(FileName("file"))
        #expect(TerminalMode(of: file.number) == nil)
    }
}
