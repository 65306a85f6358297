import COpenSSL
import Digests
import LinuxPlatform

/// The socket as a BIO for OpenSSL: its reads never wait, and its writes always succeed.
///
/// Bytes that do not fit into the kernel's buffer are kept until ``flush()``. So OpenSSL never stops in the middle of a
/// record, and never needs to write in order to read. A writer flushes before the next piece, so at most one piece
/// is kept.
final class SocketPort {
    let socket: StreamSocket
    /// The last error of the kernel.
    private(set) var failure: SystemError?
    private(set) var isAtEnd = false
    /// The first bytes that were received.
    private(set) var beginning: [UInt8] = []
    /// The number of bytes that may still be received: few before the peer is known, without limit after.
    var allowance: Int
    /// The number of bytes received since ``takeNewCount()``.
    private var newCount = 0
    /// True while written bytes are kept until the flush, so that several records are sent with one call.
    private(set) var isGathering = false
    private var kept = GrowingBuffer()

    init(_ socket: StreamSocket, allowance: Int) {
        self.socket = socket
        self.allowance = allowance
    }

    /// Makes a BIO over this port. The BIO does not keep the port alive.
    func newBIO() -> OpaquePointer {
        let bio = OpenSSLErrors.require(BIO_new(PortMethod.method), "BIO_new")
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// Sends the kept bytes. Returns true if all of them are sent.
    func flush() -> Bool {
        isGathering = false
        while kept.count > 0 {
            do throws(SystemError) {
                guard let count = try socket.sendIfReady(kept.bytes) else { return false }
                kept.removeFirst(count)
            } catch {
                failure = error
                kept.removeAll()
            }
        }
        return true
    }

    /// Keeps written bytes from now until the flush, about `count` at most.
    func gather(_ count: Int) {
        isGathering = true
        kept.reserve(count)
    }

    /// Returns the number of bytes received since the last call.
    func takeNewCount() -> Int {
        defer { newCount = 0 }
        return newCount
    }

    /// Releases the buffer if it is empty.
    func releaseMemory() {
        kept.releaseIfEmpty()
    }

    /// Reads bytes; nil if there are none yet.
    fileprivate func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(SystemError) {
            let room = UnsafeMutableRawBufferPointer(rebasing: room.prefix(max(allowance, 0)))
            guard !room.isEmpty else { return 0 }
            guard let count = try socket.receiveIfReady(into: room) else { return nil }
            isAtEnd = count == 0
            if beginning.count < OtherProtocol.beginningCount { noteBeginning(room[..<count]) }
            allowance -= count
            newCount += count
            return count
        } catch {
            failure = error
            return 0
        }
    }

    private func noteBeginning(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        beginning += bytes.prefix(OtherProtocol.beginningCount - beginning.count)
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        guard !isGathering, kept.count == 0 else {
            kept.append(bytes)
            return true
        }
        do throws(SystemError) {
            let count = try socket.sendIfReady(bytes) ?? 0
            if count < bytes.count { kept.append(UnsafeRawBufferPointer(rebasing: bytes[count...])) }
            return true
        } catch {
            failure = error
            return false
        }
    }
}

/// The functions that OpenSSL calls.
private enum PortMethod {
    // because it is made once and never changed after
    nonisolated(unsafe) static let method: OpaquePointer = {
        let kind = BIO_get_new_index() | CInt(BIO_TYPE_SOURCE_SINK)
        let method = OpenSSLErrors.require(BIO_meth_new(kind, "huddle socket"), "BIO_meth_new")
        BIO_meth_set_read_ex(method, read)
        BIO_meth_set_write_ex(method, write)
        BIO_meth_set_ctrl(method, control)
        return method
    }()

    private static func port(_ bio: OpaquePointer?) -> SocketPort? {
        BIO_get_data(bio).map { Unmanaged<SocketPort>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let read:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> CInt = {
            @Sendable bio, start, count, filled in
            huddle_bio_clear_retry(bio)
            guard let port = port(bio), let filled else { return 0 }
            guard let received = port.read(into: UnsafeMutableRawBufferPointer(start: start, count: count)) else {
                huddle_bio_set_retry_read(bio)
                return 0
            }
            filled.pointee = received
            return received > 0 ? 1 : 0
        }

    private static let write:
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> CInt = {
            @Sendable bio, start, count, taken in
            guard let port = port(bio), port.write(UnsafeRawBufferPointer(start: start, count: count)) else { return 0 }
            taken?.pointee = count
            return 1
        }

    private static let control: @convention(c) (OpaquePointer?, CInt, Int, UnsafeMutableRawPointer?) -> Int = {
        @Sendable bio, command, _, _ in
        switch command {
        case BIO_CTRL_FLUSH: 1
        case BIO_CTRL_EOF: port(bio)?.isAtEnd == true ? 1 : 0
        default: 0
        }
    }
}
