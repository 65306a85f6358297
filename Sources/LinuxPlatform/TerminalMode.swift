import Glibc

/// How a terminal hands on what is typed. Whoever changes that keeps what it was, and puts it back.
public struct TerminalMode: Sendable {
    private let number: CInt
    private var settings = termios()

    /// As it is now at standard input; nil where that is no terminal.
    public init?() {
        self.init(of: Terminal.Channel.input.rawValue)
    }

    init?(of number: CInt) {
        self.number = number
        guard tcgetattr(number, &settings) == 0 else { return nil }
    }

    /// Each key at once and unseen, for a program that shows what is typed itself. Ctrl-C and Ctrl-Z remain signals.
    public var keyByKey: TerminalMode {
        var mode = self
        mode.settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // because C's arrays are tuples here: a read is to wait for one key, whatever another program has left there.
        withUnsafeMutableBytes(of: &mode.settings.c_cc) { characters in
            (characters[Int(VMIN)], characters[Int(VTIME)]) = (1, 0)
        }
        return mode
    }

    /// Puts the terminal into this mode, once it has shown what was written so far. Not even trying again helps where it is gone.
    public func apply() {
        var settings = settings
        while tcsetattr(number, TCSADRAIN, &settings) != 0, errno == EINTR {}
    }
}
