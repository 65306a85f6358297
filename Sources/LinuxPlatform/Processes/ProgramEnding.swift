import Glibc

/// The way in which a program ended.
public enum ProgramEnding: Hashable, Sendable, CustomStringConvertible {
    /// It exited by itself, with this code.
    case exited(CInt)
    /// This signal killed it.
    case signalled(CInt)

    /// Reads a status from `waitpid`; nil if the program has not ended.
    ///
    /// - SeeAlso: wait(2), whose macros Swift can't import.
    init?(waitStatus: CInt) {
        let signal = waitStatus & 0x7f
        switch signal {
        case 0: self = .exited((waitStatus >> 8) & 0xff)
        case 0x7f: return nil
        default: self = .signalled(signal)
        }
    }

    /// True if it exited with code 0.
    public var isSuccess: Bool { self == .exited(0) }

    /// The code that a shell would show: the program's own, or 128 plus the signal.
    public var shellCode: CInt {
        switch self {
        case .exited(let code): code
        case .signalled(let signal): 128 + signal
        }
    }

    /// The text for a log line.
    public var description: String {
        switch self {
        case .exited(let code): "ended with code \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        }
    }
}
