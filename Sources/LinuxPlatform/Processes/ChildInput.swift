import CLinux
import Glibc

/// This program's end of a pipe that a child reads.
public actor ChildInput {
    private var descriptor: OwnedDescriptor?
    private var isWriting = false
    private var mustClose = false
    private let loop: EventLoop

    init(_ descriptor: consuming OwnedDescriptor, on loop: EventLoop) {
        self.descriptor = consume descriptor
        self.loop = loop
    }

    /// Writes everything, waiting while the program does not read.
    ///
    /// - Throws: `SystemError` with `EPIPE` once no program can read it. Only one task may write at a time.
    public func write(_ bytes: [UInt8]) async throws {
        precondition(!isWriting, "two tasks write to one program")
        isWriting = true
        defer { finishWriting() }
        var written = 0
        while written < bytes.count {
            // The end may have been closed while we waited.
            guard let number = descriptor?.number, !mustClose else { throw SystemError("write", EPIPE) }
            if let count = try writeWithoutSignal(bytes[written...], to: number) {
                written += count
            } else {
                try await loop.waitUntil(.writable, number)
            }
        }
    }

    /// Ends the program's input. A second call is harmless.
    public func close() {
        mustClose = true
        // A descriptor must not be closed while the loop watches it; the writer closes it then.
        if !isWriting { descriptor = nil }
    }

    private func finishWriting() {
        isWriting = false
        if mustClose { descriptor = nil }
    }
}

/// Writes so that a failure is an error and not the end of the program: a pipe has no flag for that, unlike sockets.
/// Returns nil if the pipe is full.
private func writeWithoutSignal(_ bytes: ArraySlice<UInt8>, to number: CInt) throws(SystemError) -> Int? {
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do {
        return try retryingUnlessBlocked("write") {
            bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        }
    } catch  where error.number == EPIPE {
        // The signal is pending on this very thread; taken here, it can't strike when the thread accepts it again.
        var none = timespec()
        _ = sigtimedwait(&brokenPipe, nil, &none)
        throw error
    }
}
