import CLinux
import Glibc

/// The program's own input and output.
public enum Terminal {
    /// One of the three standard descriptors.
    public enum Channel: CInt, Sendable {
        /// Standard input.
        case input = 0
        /// Standard output.
        case output = 1
        /// Standard error.
        case errors = 2
    }

    /// True if a person is at the other end.
    public static func isTerminal(_ channel: Channel) -> Bool {
        isatty(channel.rawValue) == 1
    }

    /// The size of the window; nil if there is none.
    public static func size(_ channel: Channel) -> (columns: Int, lines: Int)? {
        var size = winsize()
        guard huddle_terminal_size(channel.rawValue, &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Redirects a channel from now on, also for output of C libraries; returns its former target.
    public static func divert(
        _ channel: Channel,
        to target: borrowing OwnedDescriptor
    ) throws(SystemError) -> OwnedDescriptor {
        let before = try retrying("dup") { fcntl(channel.rawValue, F_DUPFD_CLOEXEC, 3) }
        let number = target.number
        try retrying("dup2") { dup2(number, channel.rawValue) }
        return OwnedDescriptor(takingOwnershipOf: before)
    }

    /// Writes all of the text, blocking while the reader is slow; returns the error, if any.
    public static func write(_ text: String, to channel: Channel) -> SystemError? {
        write(Array(text.utf8), to: channel)
    }

    /// Writes all of the bytes, blocking while the reader is slow; returns the error, if any.
    public static func write(_ bytes: [UInt8], to channel: Channel) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                let count = try retrying("write") {
                    rest.withUnsafeBytes { Glibc.write(channel.rawValue, $0.baseAddress, $0.count) }
                }
                rest = rest.dropFirst(count)
            } catch  where error.number == EAGAIN {
                // Another program that shares the terminal has made it non-blocking.
                var wait = pollfd(fd: channel.rawValue, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } catch {
                return error
            }
        }
        return nil
    }

    /// Waits until no program reads a pipe or socket. For anything else it waits until the task is cancelled.
    public static func readerLeaves(_ channel: Channel, on loop: EventLoop) async throws {
        var facts = stat()
        let isKnown = fstat(channel.rawValue, &facts) == 0
        let kind = facts.st_mode & S_IFMT
        guard isKnown, kind == S_IFIFO || kind == S_IFSOCK else {
            try await loop.sleep(for: .seconds(1_000_000_000))
            return
        }
        try await loop.waitUntilEnded(channel.rawValue)
    }

    /// Reads the available bytes, blocking until there are some; none at the end of the input.
    public static func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try retrying("read") {
            bytes.withUnsafeMutableBytes { Glibc.read(Channel.input.rawValue, $0.baseAddress, $0.count) }
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    /// Waits until there is something to read, or the end. Files are always ready.
    public nonisolated(nonsending) static func inputIsReady(on loop: EventLoop) async throws {
        var facts = stat()
        let isKnown = fstat(Channel.input.rawValue, &facts) == 0
        let kind = facts.st_mode & S_IFMT
        guard isKnown, kind == S_IFIFO || kind == S_IFSOCK || isTerminal(.input) else { return }
        try await loop.waitUntil(.readable, Channel.input.rawValue)
    }

    /// True if this program is in the foreground of its terminal, so that it gets what a person types.
    public static var isInForeground: Bool {
        isTerminal(.input) && tcgetpgrp(Channel.input.rawValue) == getpgrp()
    }

    /// Discards typed input that was not read. Otherwise the shell would run the digits of a late code as a command.
    ///
    /// Does nothing in the background: the kernel would stop the program.
    public static func discardInput() {
        if isInForeground { discardInput(of: Channel.input.rawValue) }
    }

    static func discardInput(of number: CInt) {
        while tcflush(number, TCIFLUSH) != 0, errno == EINTR {}
    }

    /// Reads a line without its end, blocking until there is one; nil at the end of the input.
    public static func readLine() -> String? {
        Swift.readLine(strippingNewline: true)
    }
}

extension SystemError {
    /// True if the reader has gone.
    public var isBrokenPipe: Bool { number == EPIPE }

    /// True if the other side has reset the connection.
    public var isReset: Bool { number == ECONNRESET }

    /// True if an entry of that name already exists.
    public var isTakenName: Bool { number == EEXIST }
}
