import Glibc

/// The input mode of a terminal. A program that changes it keeps the old mode, and restores it.
public struct TerminalMode: Sendable {
    private let number: CInt
    private var settings = termios()

    /// The current mode of standard input; nil if that is no terminal.
    public init?() {
        self.init(of: Terminal.Channel.input.rawValue)
    }

    init?(of number: CInt) {
        self.number = number
        guard tcgetattr(number, &settings) == 0 else { return nil }
    }

    /// Each key at once and without echo, for a program that shows the keys itself. Ctrl-C and Ctrl-Z remain signals.
    public var keyByKey: TerminalMode {
        var mode = self
        mode.settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // because C's arrays are tuples here: a read waits for one key, whatever another program has left there
        withUnsafeMutableBytes(of: &mode.settings.c_cc) { characters in
            (characters[Int(VMIN)], characters[Int(VTIME)]) = (1, 0)
        }
        return mode
    }

    /// Sets this mode, once the terminal has shown the earlier output. If the terminal is gone, this does nothing.
    public func apply() {
        var settings = settings
        while tcsetattr(number, TCSADRAIN, &settings) != 0, errno == EINTR {}
    }
}
